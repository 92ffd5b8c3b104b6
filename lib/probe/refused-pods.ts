import { isKubeError, type Kube } from '#lib/kube/index.ts';
import { resources } from '#lib/spec/index.ts';
import { maskedText, visibleLine } from '#lib/text/index.ts';

/** `at`: ms since the epoch; 0 where it has no time. */
export type Refusal = { readonly at: number; readonly words: string };

/** Far longer than a rule's own words; admission webhooks may answer anything. */
const longestWords = 400;

/**
 * What the API server says to a DaemonSet's controller that may not make its pods (PodSecurity, a quota, an SCC of OpenShift, a webhook): by the UID of
 * the DaemonSet, the newest. `words`: masked and bounded, a phrase. Empty where events may not be read.
 * `FailedCreate`: kubernetes/kubernetes pkg/controller/controller_utils.go (FailedCreatePodReason), read 2026-11-23.
 */
export async function refusedPods(
  kube: Kube,
  { namespace, signal }: { namespace: string; signal: AbortSignal },
): Promise<ReadonlyMap<string, Refusal>> {
  const newest = new Map<string, Refusal>();
  try {
    const fieldSelector = 'involvedObject.kind=DaemonSet,reason=FailedCreate';
    for await (const { items } of kube.list(resources.events, { namespace, fieldSelector, signal }))
      for (const { reason, message, lastTimestamp, eventTime, involvedObject } of items) {
        const uid = uidOf(involvedObject);
        if (reason !== 'FailedCreate' || typeof message !== 'string' || uid === null) continue;
        const at = Date.parse(String(lastTimestamp ?? eventTime)) || 0;
        if (at >= (newest.get(uid)?.at ?? 0)) newest.set(uid, { at, words: inWords(message) });
      }
  } catch (error) {
    if (!isKubeError(error) || isKubeError(error, 'aborted')) throw error;
  }
  return newest;
}

/** Whether a pod was made since: what was refused for a moment, before an account was known everywhere, is refused no more. */
export function isOver({ at }: Refusal, pods: readonly { readonly madeAt: number }[]): boolean {
  return at > 0 && pods.some(({ madeAt }) => madeAt > at);
}

function uidOf(about: unknown): string | null {
  const uid = about !== null && typeof about === 'object' && 'uid' in about ? about.uid : null;
  return typeof uid === 'string' ? uid : null;
}

function inWords(message: string): string {
  // Masked before it is cut: half of a secret looks like none.
  const words = visibleLine(maskedText(message.slice(0, 64 * longestWords)).replace(/^Error creating: /, ''));
  return words.length > longestWords ? `${words.slice(0, longestWords)}…` : words;
}
