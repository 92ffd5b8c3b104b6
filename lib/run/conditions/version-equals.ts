import type { Facts } from '#lib/facts/index.ts';
import { installationOf } from '#lib/kube/index.ts';
import type { Condition } from '#lib/plan/index.ts';
import { names, resources } from '#lib/spec/index.ts';
import type { ConditionContext } from './context.ts';
import { met, type Progress, waiting } from './progress.ts';

/** Calico's version is this one: `status.calicoVersion` of the Installation, which comes and goes when it first appears (controlplane.md › Recordings 14), so another one is waited for and is no failure. */
export async function versionEquals(
  { equals }: Extract<Condition, { kind: 'version' }>,
  { kube, signal, readFacts }: ConditionContext,
): Promise<Progress> {
  const installation = await kube.get({ resource: resources.installations, name: names.installation }, { signal });
  if (installation === null) return versionFound(equals, (await readFacts()).installation);
  const version = installationOf(installation).status.calicoVersion;
  if (version === equals)
    return met([{ object: 'Installation/default', path: 'status.calicoVersion', value: version }]);
  return waiting(`Installation/default to report version ${equals}, it reports ${version ?? 'none'}`);
}

/** The version of an installation by manifest: from ClusterInformation, else from the image of its agents (calico.md §9 › Version). */
function versionFound(equals: string, { version, agent, method, evidence }: Facts['installation']): Progress {
  const versionEvidence = evidence.find(({ value }) => value === version);
  const object = versionEvidence?.object ?? agent ?? 'Installation/default';
  if (version !== equals) return waiting(`${object} to be of ${equals}, it is of ${version ?? 'none'}`);
  const isImage = versionEvidence === undefined || versionEvidence.object === agent;
  return met(
    [versionEvidence ?? { object, path: 'image', value: version }],
    method === 'manifest-etcd' && isImage
      ? 'read from the image of the agents: etcd, where Calico keeps its version, was not read (--etcd-endpoints)'
      : undefined,
  );
}
