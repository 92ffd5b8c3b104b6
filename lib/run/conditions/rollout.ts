import type { Subject } from '#lib/facts/index.ts';
import {
  isKubeError,
  type Kube,
  type KubeObject,
  type PodFault,
  type PodState,
  podHasEnded,
  podState,
  type RolloutCounts,
  rolloutCounts,
  workloadOf,
} from '#lib/kube/index.ts';
import { resources } from '#lib/spec/index.ts';

/** `words`: the counts in words. */
export type Rollout = RolloutCounts & { words: string };

/** The rollout of a DaemonSet, Deployment or StatefulSet, from its status. Pure. */
export function rolloutOf(object: KubeObject): Rollout {
  const counts = rolloutCounts(object);
  return { ...counts, words: counts.observed ? rolloutWords(counts) : 'its controller has not seen the change yet' };
}

function rolloutWords({ desired, updated, available }: Pick<Rollout, 'desired' | 'updated' | 'available'>): string {
  if (updated >= desired && available >= desired)
    return desired === 1 ? 'the new pod is ready' : `all ${desired} are ready`;
  if (desired === 1) return updated === 0 ? 'its new pod does not exist yet' : 'its new pod is not ready yet';
  const count = updated >= desired ? `all ${desired}` : `${updated} of ${desired}`;
  return `${count} ${updated === 1 ? 'has' : 'have'} restarted, ${available} ${available === 1 ? 'is' : 'are'} ready`;
}

/** What a rollout waits for, as a phrase after "Waiting for". `change`: what the pods take up by restarting, as `with …`. */
export function rolloutAwaited(workload: KubeObject, { words }: Rollout, change = ''): string {
  const everywhere = workload.kind === 'DaemonSet' ? ' on every node' : '';
  return `${workload.metadata.name ?? ''} to restart${everywhere}${change === '' ? '' : ` ${change}`}: ${words}`;
}

/** A pod's fault and the subject that is named for it. `key` stays the same for as long as the fault does. */
export type Fault = PodFault & { key: string; subject: Subject };

/** Pods that the matchLabels of a workload's selector select. `pages`: how many pages of the list are read at the most (500 pods each). Rejects with a KubeError. */
export async function podsOf(
  kube: Kube,
  workload: KubeObject,
  signal?: AbortSignal,
  pages = Number.POSITIVE_INFINITY,
): Promise<KubeObject[]> {
  const labelSelector = Object.entries(workloadOf(workload).spec.selector.matchLabels)
    .map(([key, value]) => `${key}=${value}`)
    .join(',');
  const pods: KubeObject[] = [];
  let read = 0;
  for await (const page of kube.list(resources.pods, {
    namespace: workload.metadata.namespace ?? '',
    labelSelector,
    ...(signal ? { signal } : {}),
  })) {
    pods.push(...page.items);
    read += 1;
    if (read >= pages) break;
  }
  return pods;
}

/** The first 20 pods that are not ready, each under the name of its node, the first three with their last event; and the faults of these pods. */
export async function heldUp(
  kube: Kube,
  workload: KubeObject,
  signal?: AbortSignal,
): Promise<{ heldUpBy: Subject[]; faults: Fault[] }> {
  // A Deployment has others in place of pods that have ended; a DaemonSet makes one anew only once the ended one is gone.
  const counts = (pod: KubeObject) => workload.kind === 'DaemonSet' || !podHasEnded(pod);
  const pods = (await podsOf(kube, workload, signal)).filter(counts);
  const unready = pods.map((pod) => podState(pod)).filter((pod) => !pod.ready);
  const named = await Promise.all(
    unready.slice(0, 20).map(async (pod, index) => {
      const event = index < 3 ? await lastEvent(kube, pod, signal) : null;
      const subject: Subject = {
        kind: pod.node ? 'Node' : 'Pod',
        namespace: pod.node ? null : pod.namespace,
        name: pod.node ?? pod.name,
        detail: `${pod.namespace}/${pod.name} ${pod.words}${event ? ` (${event})` : ''}`,
      };
      return { pod, subject };
    }),
  );
  return {
    heldUpBy: named.map(({ subject }) => subject),
    faults: named.flatMap(({ pod: { fault, object, name }, subject }) =>
      fault ? [{ ...fault, key: `${object.metadata.uid ?? name}/${fault.container}/${fault.code}`, subject }] : [],
    ),
  };
}

async function lastEvent(kube: Kube, pod: PodState, signal?: AbortSignal): Promise<string | null> {
  const found: { at: string; words: string }[] = [];
  try {
    const fieldSelector = `involvedObject.kind=Pod,involvedObject.name=${pod.name}`;
    for await (const page of kube.list(resources.events, {
      namespace: pod.namespace,
      fieldSelector,
      ...(signal ? { signal } : {}),
    })) {
      for (const event of page.items) {
        found.push({
          at: String(event.lastTimestamp ?? event.eventTime ?? ''),
          words: `${String(event.reason ?? '')}: ${String(event.message ?? '')}`,
        });
      }
    }
  } catch (error) {
    if (!isKubeError(error)) throw error;
  }
  return found.sort((a, b) => a.at.localeCompare(b.at)).at(-1)?.words ?? null;
}
