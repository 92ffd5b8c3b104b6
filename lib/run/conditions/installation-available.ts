import { conditionsOf, installationOf, isTrue } from '#lib/kube/index.ts';
import type { Condition } from '#lib/plan/index.ts';
import { names, resources } from '#lib/spec/index.ts';
import type { ConditionContext } from './context.ts';
import { dataPlaneObjects, observedGeneration, waitingForGeneration } from './data-plane-objects.ts';
import { met, type Progress, waiting } from './progress.ts';
import { rollingOut } from './rolling-out.ts';

/** The version flickers between set and unset when it first appears (controlplane.md › Recordings 14): one reading is not the end. */
const readAgainMs = 1_000;

/**
 * Generation reached, agents rolled out, and this version, read twice. TigeraStatus alone says Available for older generations and while nodes
 * roll (controlplane.md › Recordings 2); that it complains for a moment says nothing (8), and that another of its kind does is not about this (9).
 */
export async function installationAvailable(
  { version }: Extract<Condition, { kind: 'installation-available' }>,
  context: ConditionContext,
): Promise<Progress> {
  const { installation, daemonSet, status, complaint, also } = await dataPlaneObjects(context);
  if (!installation) return waiting('Installation/default to exist');
  const operator = (detail: string) => [
    { kind: 'TigeraStatus', namespace: null, name: 'calico', detail: complaint ?? detail },
  ];
  if (!daemonSet)
    return waiting(`the operator to make DaemonSet calico-system/calico-node${also}`, operator('no status yet'));
  const rolling = await rollingOut(daemonSet, context);
  if (rolling) return { ...rolling, awaiting: `${rolling.awaiting}${also}` };
  const generation = installation.metadata.generation ?? 0;
  const observed = observedGeneration(status);
  if (observed === null || observed < generation)
    return waitingForGeneration(generation, observed, { complaint, also });
  if (!isTrue(conditionsOf(status), 'Available'))
    return waiting(`TigeraStatus calico to be Available${also}`, operator('it is not Available'));
  const reported = installationOf(installation).status.calicoVersion;
  if (reported !== version || (await versionAgain(context)) !== version)
    return waiting(
      `Installation/default to report version ${version}, it reports ${reported ?? 'none'}${also}`,
      operator('it writes the version once everything is as it should be'),
    );
  return met([{ object: 'Installation/default', path: 'status.calicoVersion', value: version }]);
}

async function versionAgain({ kube, clock, signal }: ConditionContext): Promise<unknown> {
  await clock.sleep(readAgainMs, signal);
  const again = await kube.get({ resource: resources.installations, name: names.installation }, { signal });
  return installationOf(again).status.calicoVersion;
}
