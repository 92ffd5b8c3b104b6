import { conditionsOf, type KubeObject } from '#lib/kube/index.ts';
import { names, type ObjectRef, resources } from '#lib/spec/index.ts';
import type { ConditionContext } from './context.ts';
import type { Progress } from './progress.ts';

/** The objects in which a switch of the data plane shows, read in one go, and what the operator complains of. */
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
 * The generation that the operator says it has acted on. Never the one that a patch returned: its own write-back makes a newer one
 * at once (controlplane.md › Recordings 2, 5). The least that any condition speaks of; null where none says.
 */
export function observedGeneration(status: KubeObject | null): number | null {
  const observed = conditionsOf(status).flatMap((one) => one.observedGeneration ?? []);
  return observed.length === 0 ? null : Math.min(...observed);
}

/** Waits until the operator has acted on this generation of the Installation; `observed` is the one that it reports, null: none. */
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

/** The operator's own complaint, when it is Degraded for this generation; and the same to follow what is awaited, where there is one. */
export function complaintOf(status: KubeObject | null): { complaint: string | null; also: string } {
  const complaint = degraded(status);
  return { complaint, also: complaint ? ` (the operator is Degraded: ${complaint})` : '' };
}

function degraded(status: KubeObject | null): string | null {
  const condition = conditionsOf(status).find((one) => one.type === 'Degraded' && one.status === 'True');
  return condition ? `${condition.reason ?? 'Degraded'}: ${condition.message ?? ''}` : null;
}
