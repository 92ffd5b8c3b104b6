import type { Subject } from '#lib/facts/index.ts';
import { isKubeError, type Kube, type PodState, podOf, podState, podStatusOf, workloadOf } from '#lib/kube/index.ts';
import { names, type ObjectRef, resources } from '#lib/spec/index.ts';
import { maskedText } from '#lib/text/index.ts';
import { podsOf } from '../conditions/rollout.ts';

/** A pod that a step waits for, and how its log ends. `because`: why there are no lines. */
export type StepPod = {
  namespace: string;
  pod: string;
  node: string | null;
  says: string;
  container: string;
  lines: string[];
  because: string | null;
};

/** Of so many pods the logs are read: the first ones are as good as all. */
const podsRead = 3;
const linesRead = 12;
const bytesRead = 16 * 1024;
const lettersShown = 400;

/**
 * The pods of these workloads that hold a step up: those on the nodes and of the names that it waits for, else those that are not ready. Rejects with
 * the KubeError that kept them from being listed; a log that cannot be read is told with its pod.
 */
export async function podsHeldUp(
  kube: Kube,
  workloads: readonly ObjectRef[],
  heldUpBy: readonly Subject[],
  signal: AbortSignal,
): Promise<StepPod[]> {
  const states = (await Promise.all(workloads.map((ref) => podsOfWorkload(kube, ref, heldUpBy, signal)))).flat();
  const chosen = [...new Map(states.map((pod) => [`${pod.namespace}/${pod.name}`, pod])).values()];
  return Promise.all(chosen.slice(0, podsRead).map((pod) => withLog(kube, pod, signal)));
}

async function podsOfWorkload(
  kube: Kube,
  ref: ObjectRef,
  heldUpBy: readonly Subject[],
  signal: AbortSignal,
): Promise<PodState[]> {
  const workload = await kube.get(ref, { signal });
  // A selector that selects nothing by label would select every pod of the namespace.
  if (workload === null || Object.keys(workloadOf(workload).spec.selector.matchLabels).length === 0) return [];
  const pods = (await podsOf(kube, workload, signal)).map((pod) => podState(pod));
  const named = new Set(heldUpBy.flatMap(({ kind, name }) => (kind === 'Pod' ? [name] : [])));
  const onNodes = new Set(heldUpBy.flatMap(({ kind, name }) => (kind === 'Node' ? [name] : [])));
  const awaited = pods.filter(({ name, node }) => named.has(name) || (node !== null && onNodes.has(node)));
  return awaited.length > 0 ? awaited : pods.filter(({ ready }) => !ready);
}

async function withLog(kube: Kube, pod: PodState, signal: AbortSignal): Promise<StepPod> {
  const { namespace, name, node, words: says } = pod;
  const container = containerOf(pod);
  const base = { namespace, pod: name, node, says: maskedText(says).slice(0, lettersShown), container };
  try {
    const log = await kube.logs(
      { namespace, name },
      { container, tailLines: linesRead, limitBytes: bytesRead, signal },
    );
    const lines = log
      .split('\n')
      .filter((line) => line.trim() !== '')
      .slice(-linesRead)
      .map((line) => shortened(maskedText(line)));
    return { ...base, lines, because: lines.length === 0 ? 'Its log is empty.' : null };
  } catch (error) {
    if (!isKubeError(error)) throw error;
    return { ...base, lines: [], because: error.message };
  }
}

/** The container at fault, Calico's agent, the first one that is not ready, or simply the first. */
function containerOf({ fault, object }: PodState): string {
  if (fault !== null) return fault.container;
  const all = podOf(object).spec.containers.map(({ name }) => name);
  const agent = all.find((name) => name === names.nodeContainer);
  const unready = podStatusOf(object).status.containerStatuses.find(({ ready }) => ready === false);
  return agent ?? unready?.name ?? all[0] ?? '';
}

function shortened(line: string): string {
  return line.length > lettersShown ? `${line.slice(0, lettersShown - 1)}…` : line;
}

/** The workloads among the objects of a step, and those that it waits for by name. */
export function workloadsOf(objects: readonly ObjectRef[], heldUpBy: readonly Subject[]): ObjectRef[] {
  const named = heldUpBy.flatMap(({ kind, namespace, name }): ObjectRef[] => {
    const resource = kind === 'DaemonSet' ? resources.daemonSets : kind === 'Deployment' ? resources.deployments : null;
    return resource === null || namespace === null ? [] : [{ resource, namespace, name }];
  });
  return [...objects.filter(({ resource: { kind } }) => kind === 'DaemonSet' || kind === 'Deployment'), ...named];
}
