import { isDeepStrictEqual } from 'node:util';
import { customResources, installationSpec } from '#lib/installation/index.ts';
import { names, objectId, type ReleaseContents, splitImage } from '#lib/spec/index.ts';
import { fieldAt } from '../field.ts';
import { isJson, type Json } from '../merge-patch.ts';
import type { PlannedOperation } from '../operation.ts';
import { namespaceParts } from '../operations/namespace.ts';
import { operatorParts, withoutIdentity } from '../operator-installation.ts';
import type { Plan } from '../plan.ts';
import { customResourceRef, definitionsOf } from '../release-objects.ts';
import { at, stepsOf } from './parts.ts';
import { fits, mapOf, maybe, type Pattern } from './pattern.ts';

/** Which operation is not what the release says, and of what. `seq` and `id` are those of the plan. */
export type ReleaseProblem = { seq: number; id: string; message: string };

/**
 * Holds a plan that was not made in this process against the release that it names: namespaces, definitions, rights, images and host paths are those
 * of the release's own files (which `release` has by their checksums), with nothing but what the plan's Installation carries over, its registry and
 * its pull Secrets. What an undo would bring back of them is the release's too, or it is refused: nobody can tell an earlier Deployment from a
 * forged one. `release`: as `choices` name it; null for a goal that takes nothing from one.
 */
export function pinnedToRelease(
  plan: Pick<Plan, 'choices' | 'operations'>,
  release: ReleaseContents | null,
): ReleaseProblem[] {
  return plan.operations.flatMap((operation) => {
    const problems = rules[operation.id]?.(operation, { plan, release }) ?? [];
    return problems.map((message) => ({ seq: operation.seq, id: operation.id, message }));
  });
}

type Known = { plan: Pick<Plan, 'choices' | 'operations'>; release: ReleaseContents | null };
type Rule = (operation: PlannedOperation, known: Known) => string[];

const unknownRelease = 'comes from a release whose files are not known here';

/** For what a release decides: without one nothing of it can be told. */
function ofRelease(judge: (operation: PlannedOperation, release: ReleaseContents, known: Known) => string[]): Rule {
  return (operation, known) => (known.release === null ? [unknownRelease] : judge(operation, known.release, known));
}

const operatorRule = ofRelease((operation, release, { plan }) => {
  const parts = operatorParts(release, installationOf(plan) ?? {});
  const steps = parts.map(({ act, done }) => ({ act, done }));
  const back = new Map(parts.map(({ target, body }) => [objectId(target), withoutIdentity(body)]));
  return [
    ...said(isDeepStrictEqual(stepsOf(operation.act), steps), `writes other objects than those of ${release.version}`),
    ...restored(operation).flatMap(({ id, body }) =>
      said(isPartOf(body, back.get(id)), `would bring back ${id} otherwise than ${release.version} has it`),
    ),
  ];
});

const rules: Readonly<Record<string, Rule>> = {
  namespace: ofRelease(({ act }, release) => {
    const steps = namespaceParts(release).map(({ act: made, done }) => ({ act: made, done }));
    return said(isDeepStrictEqual(stepsOf(act), steps), `writes other namespaces than those of ${release.version}`);
  }),
  crds: ofRelease(({ act }, release) => {
    const defined = definitionsOf(release);
    const isSame =
      act.kind === 'apply-manifest'
        ? isDeepStrictEqual(
            { manifest: act.manifest, targets: act.targets },
            defined && { manifest: defined.manifest, targets: defined.targets },
          )
        : defined === null;
    return said(isSame, `defines other kinds than ${release.version}`);
  }),
  'operator.apply': operatorRule,
  'openshift.bundle': operatorRule,
  'custom-resources': ofRelease(({ act }, release, { plan }) => {
    const spec = installationOf(plan);
    if (spec === null) return ['writes an Installation that cannot be read'];
    const objects = customResources(release, spec);
    const isSame = (step: unknown, index: number) => {
      const object = objects[index];
      if (object === undefined) return false;
      const target = customResourceRef(release, object);
      const wanted =
        at(at(step, 'act'), 'kind') === 'apply' ? object : { ...(isJson(object.spec) ? { spec: object.spec } : {}) };
      return (
        isDeepStrictEqual(at(at(step, 'act'), 'target'), target) &&
        isDeepStrictEqual(at(at(step, 'act'), 'body'), wanted)
      );
    };
    const steps = stepsOf(act);
    return [
      ...said(
        steps.length === objects.length && steps.every(isSame),
        `asks for other things than ${release.version} does`,
      ),
      ...said(isChosen(spec, plan.choices), 'asks for an Installation that was not chosen'),
    ];
  }),
  'cni.remove-aws-node': ({ undo }) => {
    const body = undo?.act.kind === 'recreate' ? undo.act.body : {};
    const pod = fieldAt(body, ['spec', 'template', 'spec']);
    const containers = ['containers', 'initContainers'].flatMap((key) => fieldAt(pod, [key]) ?? []);
    return said(
      containers.length > 0 && containers.every((one) => awsImages.has(splitImage(String(at(one, 'image'))).name)),
      'would bring back DaemonSet aws-node with images that are not those of the network of EKS',
    );
  },
  'proxy.forget-kubeadm': ({ undo }) => {
    const body = undo?.act.kind === 'recreate' ? undo.act.body : {};
    return said(
      fits({ data: body.data, binaryData: body.binaryData }, proxyConfiguration),
      'would bring back a configuration of kube-proxy that trusts or runs what a cluster’s own does not',
    );
  },
};

/** https://github.com/aws/amazon-vpc-cni-k8s: its DaemonSet's containers, in whichever registry. */
const awsImages: ReadonlySet<string> = new Set([
  'amazon-k8s-cni',
  'amazon-k8s-cni-init',
  'aws-network-policy-agent',
  'aws-eks-nodeagent',
]);

/** Whoever turns the verification of the API server off, or has kube-proxy run a program, did not set up a cluster. */
const isPlain = (value: unknown) =>
  typeof value === 'string' && !/insecure-skip-tls-verify|proxy-url|\bexec\b|\bcommand\b|auth-provider/.test(value);
const proxyConfiguration: Pattern = { data: maybe(mapOf(isPlain)), binaryData: undefined };

/** The `spec` of the Installation that the plan itself asks for: it is shown, and its registry and Secrets are carried over to the operator. */
function installationOf({ operations }: Pick<Plan, 'operations'>): Json | null {
  const act = operations.find(({ id }) => id === 'custom-resources')?.act;
  const bodies = stepsOf(act).filter((step) => fieldAt(step, ['act', 'target', 'name']) === names.installation);
  const spec = bodies
    .filter((step) => fieldAt(step, ['act', 'target', 'resource', 'kind']) === 'Installation')
    .map((step) => fieldAt(step, ['act', 'body', 'spec']) ?? {})[0];
  const parsed = installationSpec.safeParse(spec);
  return parsed.success && isJson(spec) ? spec : null;
}

/** What was chosen stands in it; a whole document that was chosen is it, but for what a mend adds. */
function isChosen(spec: Json, { installation, set, fix }: Plan['choices']): boolean {
  const isSet = Object.entries(set).every(([path, value]) =>
    isDeepStrictEqual(fieldAt(spec, path.split('.')), value ?? undefined),
  );
  if (!isSet || installation === undefined) return isSet;
  const tops = new Set([
    ...Object.keys(set).map((path) => path.split('.')[0]),
    ...(fix.includes('node.flexvolume-path') ? ['flexVolumePath'] : []),
  ]);
  const rest = (document: Json) => Object.fromEntries(Object.entries(document).filter(([key]) => !tops.has(key)));
  return isDeepStrictEqual(rest(spec), rest(installation));
}

/** Objects that the undo would give earlier fields. */
function restored({ undo }: PlannedOperation): { id: string; body: Json }[] {
  return stepsOf(undo?.act).flatMap((step) => {
    const act = at(step, 'act') as PlannedOperation['act'];
    return act.kind === 'merge-patch' ? [{ id: objectId(act.target), body: act.body }] : [];
  });
}

/** Every field is the release's, or goes. */
function isPartOf(body: unknown, whole: unknown): boolean {
  if (body === null) return true;
  if (!isJson(body) || !isJson(whole)) return isDeepStrictEqual(body, whole);
  return Object.entries(body).every(([key, value]) =>
    isPartOf(value, Object.hasOwn(whole, key) ? whole[key] : undefined),
  );
}

function said(isSo: boolean, message: string): string[] {
  return isSo ? [] : [message];
}
