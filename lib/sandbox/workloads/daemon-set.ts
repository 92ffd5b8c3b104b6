import { daemonPlacement } from './placement.ts';
import { type DaemonSetShape, isReady, isTerminating, type NodeShape, type PodShape } from './shapes.ts';
import { templateHash } from './template-hash.ts';

export const revisionLabel = 'controller-revision-hash';

export type DaemonSetDecision = {
  hash: string;
  /** Names of the nodes that need a pod. */
  create: string[];
  /** Pods to delete. */
  remove: PodShape[];
  /**
   * The status as the real controller writes it: computed from what was seen before this turn's acts. Null: the counter is absent, which means zero.
   */
  status: Record<string, number | null>;
};

/**
 * One turn of the DaemonSet controller (kubernetes/pkg/controller/daemon: manage, rollingUpdate, updateDaemonSetStatus), for updateStrategy OnDelete
 * and for RollingUpdate without surge. Nodes are taken by name, where Go's map has no order.
 */
export function decideDaemonSet(
  daemonSet: DaemonSetShape,
  nodes: readonly NodeShape[],
  pods: readonly PodShape[],
): DaemonSetDecision {
  const hash = templateHash(daemonSet.spec.template);
  const byName = [...nodes].sort((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1));
  const byNode = Map.groupBy(pods, nodeOf);
  const places = byName.map((node) => ({
    node,
    placement: daemonPlacement(daemonSet.spec.template.spec, node),
    pods: (byNode.get(node.metadata.name) ?? []).sort(byAge),
  }));

  const create: string[] = [];
  const remove = new Map<string, PodShape>();
  for (const { node, placement, pods: here } of places) {
    const staying = here.filter((pod) => !isTerminating(pod));
    if (placement === 'none') for (const pod of staying) remove.set(pod.metadata.name, pod);
    else if (placement === 'run' && here.length === 0) create.push(node.metadata.name);
    else for (const pod of staying.slice(1)) remove.set(pod.metadata.name, pod);
  }
  if (daemonSet.spec.updateStrategy.type === 'RollingUpdate' && create.length + remove.size === 0) {
    const owed = places.filter(({ placement }) => placement === 'run').length;
    for (const pod of replacements(places, hash, maxUnavailableOf(daemonSet, owed))) remove.set(pod.metadata.name, pod);
  }
  return { hash, create, remove: [...remove.values()], status: statusOf(daemonSet, places, hash) };
}

type NodePlacement = { node: NodeShape; placement: string; pods: PodShape[] };

/** Old pods that are not available go at once. Available ones go only as far as `maxUnavailable` leaves room. */
function replacements(places: readonly NodePlacement[], hash: string, maxUnavailable: number): PodShape[] {
  let unavailable = 0;
  const atOnce: PodShape[] = [];
  const candidates: PodShape[] = [];
  for (const { pods } of places) {
    if (pods.length === 0) continue;
    const staying = pods.filter((pod) => !isTerminating(pod));
    const fresh = staying.find((pod) => pod.metadata.labels[revisionLabel] === hash);
    const old = staying.find((pod) => pod.metadata.labels[revisionLabel] !== hash);
    if (Boolean(fresh) === Boolean(old)) unavailable += 1;
    else if (fresh) unavailable += isReady(fresh) ? 0 : 1;
    else if (old) (isReady(old) ? candidates : atOnce).push(old);
  }
  return [...atOnce, ...candidates.slice(0, Math.max(0, maxUnavailable - unavailable))];
}

function statusOf(
  daemonSet: DaemonSetShape,
  places: readonly NodePlacement[],
  hash: string,
): Record<string, number | null> {
  let desired = 0;
  let current = 0;
  let ready = 0;
  let updated = 0;
  let misscheduled = 0;
  for (const { placement, pods } of places) {
    const [first] = pods;
    if (placement !== 'run') {
      misscheduled += first ? 1 : 0;
      continue;
    }
    desired += 1;
    if (!first) continue;
    current += 1;
    if (isReady(first)) ready += 1;
    if (first.metadata.labels[revisionLabel] === hash) updated += 1;
  }
  return {
    currentNumberScheduled: current,
    desiredNumberScheduled: desired,
    numberAvailable: ready || null,
    numberMisscheduled: misscheduled,
    numberReady: ready,
    numberUnavailable: desired - ready || null,
    observedGeneration: daemonSet.metadata.generation,
    updatedNumberScheduled: updated || null,
  };
}

function maxUnavailableOf(daemonSet: DaemonSetShape, owed: number): number {
  const wanted = daemonSet.spec.updateStrategy.rollingUpdate?.maxUnavailable ?? 1;
  if (typeof wanted === 'number') return wanted;
  return Math.max(1, Math.ceil((owed * Number.parseFloat(wanted)) / 100));
}

/** The node of a pod. A pod that is not bound yet belongs to the node that its affinity names. Empty: none. */
export function nodeOf(pod: PodShape): string {
  if (pod.spec.nodeName) return pod.spec.nodeName;
  const terms =
    pod.spec.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms ?? [];
  const field = terms.flatMap((term) => term.matchFields).find(({ key }) => key === 'metadata.name');
  return field?.values[0] ?? '';
}

function byAge(a: PodShape, b: PodShape): number {
  if (a.metadata.creationTimestamp !== b.metadata.creationTimestamp)
    return a.metadata.creationTimestamp < b.metadata.creationTimestamp ? -1 : 1;
  return a.metadata.name < b.metadata.name ? -1 : 1;
}
