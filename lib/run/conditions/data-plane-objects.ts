import { conditionsOf, type KubeObject } from '#lib/kube/index.ts';
import { names, type ObjectRef, resources } from '#lib/spec/index.ts';
import type { ConditionContext } from './context.ts';
import type { Progress } from './progress.ts';

/** The objects that show a switch of the data plane, each null if it is absent, and the operator's complaint. Rejects with a KubeError. */
export async function dataPlaneObjects({ kube, signal, felixResource }: ConditionContext) {
  const [installation, daemonSet, felix, status] = await Promise.all([
    kube.get({ resource: resources.installations, name: names.installation }, { signal }),
    kube.get(nodeDaemonSet, { signal }),
    kube.get({ resource: felixResource, name: names.felixConfiguration }, { signal }),
    kube.get({ resource: resources.tigeraStatuses, name: 'calico' }, { signal }),
  ]);
  return { installation, daemonSet, felix, status, ...complaintOf(status) };
}

export const nodeDaemonSet: ObjectRef = {
  resource: resources.daemonSets,
  namespace: names.calicoNamespace,
  name: names.nodeDaemonSet,
};

/**
 * The generation of the Installation that the operator has acted on: the lowest that a condition of its status reports; null if none does. Compare it
 * with the Installation's current generation, not with the one that a patch returned: the operator's own writes raise it at once
 * (controlplane.md › Recordings 2, 5).
 */
export function observedGeneration(status: KubeObject | null): number | null {
  const observed = conditionsOf(status).flatMap((one) => one.observedGeneration ?? []);
  return observed.length === 0 ? null : Math.min(...observed);
}

/** Waiting for the operator to act on this generation of the Installation. `observed`: the one that it reports; null: none. */
export function waitingForGeneration(
  generation: number,
  observed: number | null,
  { complaint, also }: ReturnType<typeof complaintOf>,
): Extract<Progress, { kind: 'waiting' }> {
  const detail = complaint ?? 'observedGeneration may lag by up to 5 minutes';
  return {
    kind: 'waiting',
    awaiting: `the operator to report generation ${generation} of Installation/default, it reports ${observed ?? 'none'}${also}`,
    heldUpBy: [{ kind: 'TigeraStatus', namespace: null, name: 'calico', detail }],
  };
}

/** The operator's complaint while its status is Degraded, else null; `also`: the same as a parenthesis after what is awaited, else empty. */
export function complaintOf(status: KubeObject | null): { complaint: string | null; also: string } {
  const complaint = degraded(status);
  return { complaint, also: complaint ? ` (the operator is Degraded: ${complaint})` : '' };
}

function degraded(status: KubeObject | null): string | null {
  const condition = conditionsOf(status).find((one) => one.type === 'Degraded' && one.status === 'True');
  return condition ? `${condition.reason ?? 'Degraded'}: ${condition.message ?? ''}` : null;
}
