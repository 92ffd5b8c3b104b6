import type { Subject } from '#lib/facts/index.ts';
import { isKubeError, type Kube, type PodState, podOf, podState, podStatusOf, workloadOf } from '#lib/kube/index.ts';
import { names, type ObjectRef, resources } from '#lib/spec/index.ts';
import { maskedText } from '#lib/text/index.ts';
import { podsOf } from '../conditions/rollout.ts';

/** A pod that a step waits for, and the end of its log. `because`: why there are no lines, or not the newest. */
export type StepPod = {
  namespace: string;
  pod: string;
  node: string | null;
  says: string;
  container: string;
  lines: string[];
  because: string | null;
};

/** Logs of the first few pods are enough: the others say the same. */
const podsRead = 3;
const linesShown = 12;
/** More lines than are shown: a private key is recognised by its first or last line, and the longest has some hundred. */
const linesRead = 200;
/** The kubelet counts lines from the end, but bytes from there on: beyond the limit the newest lines are cut. */
const kibRead = 256;
const lettersShown = 400;
/** Pages of 500 pods that are searched for one workload. */
const pagesRead = 4;

/**
 * The pods of these workloads that delay a step: those that it names, and those that are not ready on the nodes that it names, else on any node; pods
 * with a fault first. Rejects with the KubeError of the listing; a log that cannot be read is reported with its pod.
 */
export async function podsHeldUp(
  kube: Kube,
  workloads: readonly ObjectRef[],
  heldUpBy: readonly Subject[],
  signal: AbortSignal,
): Promise<StepPod[]> {
  const states = (await Promise.all(workloads.map((ref) => podsOfWorkload(kube, ref, heldUpBy, signal)))).flat();
  const chosen = [...new Map(states.map((pod) => [`${pod.namespace}/${pod.name}`, pod])).values()];
  const faultyFirst = chosen.sort((one, other) => Number(other.fault !== null) - Number(one.fault !== null));
  return Promise.all(faultyFirst.slice(0, podsRead).map((pod) => withLog(kube, pod, signal)));
}

async function podsOfWorkload(
  kube: Kube,
  ref: ObjectRef,
  heldUpBy: readonly Subject[],
  signal: AbortSignal,
): Promise<PodState[]> {
  const workload = await kube.get(ref, { signal });
  // An empty selector would select every pod of the namespace.
  if (workload === null || Object.keys(workloadOf(workload).spec.selector.matchLabels).length === 0) return [];
  const pods = (await podsOf(kube, workload, signal, pagesRead)).map((pod) => podState(pod));
  const named = new Set(heldUpBy.flatMap(({ kind, name }) => (kind === 'Pod' ? [name] : [])));
  const onNodes = new Set(heldUpBy.flatMap(({ kind, name }) => (kind === 'Node' ? [name] : [])));
  const awaited = pods.filter(
    ({ name, node, ready }) => named.has(name) || (!ready && node !== null && onNodes.has(node)),
  );
  return awaited.length > 0 ? awaited : pods.filter(({ ready }) => !ready);
}

async function withLog(kube: Kube, pod: PodState, signal: AbortSignal): Promise<StepPod> {
  const { namespace, name, node, words: says } = pod;
  const container = containerOf(pod);
  const base = { namespace, pod: name, node, says: maskedText(says).slice(0, lettersShown), container };
  try {
    const log = await kube.logs(
      { namespace, name },
      { container, tailLines: linesRead, limitBytes: kibRead * 1024, signal },
    );
    // Masked as one text, because a private key spans many lines.
    const lines = maskedText(log)
      .split('\n')
      .filter((line) => line.trim() !== '')
      .slice(-linesShown)
      .map(shortened);
    return { ...base, lines, because: lines.length === 0 ? 'Its log is empty.' : cutWords(log) };
  } catch (error) {
    if (!isKubeError(error)) throw error;
    return { ...base, lines: [], because: error.message };
  }
}

function cutWords(log: string): string | null {
  if (Buffer.byteLength(log) < kibRead * 1024) return null;
  return `Its newest lines are missing: of the last ${linesRead} lines the first ${kibRead} KiB were read.`;
}

/** The container with the fault, else Calico's agent, else the first one that is not ready, else the first. */
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

/** The workloads among a step's objects and among what it waits for. */
export function workloadsOf(objects: readonly ObjectRef[], heldUpBy: readonly Subject[]): ObjectRef[] {
  const named = heldUpBy.flatMap(({ kind, namespace, name }): ObjectRef[] => {
    const resource = kind === 'DaemonSet' ? resources.daemonSets : kind === 'Deployment' ? resources.deployments : null;
    return resource === null || namespace === null ? [] : [{ resource, namespace, name }];
  });
  return [...objects.filter(({ resource: { kind } }) => kind === 'DaemonSet' || kind === 'Deployment'), ...named];
}
