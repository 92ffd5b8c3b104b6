import { isKubeError, type Kube } from '#lib/kube/index.ts';
import { resources } from '#lib/spec/index.ts';
import { maskedText, visibleLine } from '#lib/text/index.ts';

/** Far longer than a rule's own words; admission webhooks may answer anything. */
const longestWords = 400;

/**
 * What the API server says to a DaemonSet's controller that may not make its pods (PodSecurity, a quota, an SCC of OpenShift, a webhook): by the UID of
 * the DaemonSet, the newest. Masked and bounded, as a phrase. Empty where events may not be read.
 * `FailedCreate`: kubernetes/kubernetes pkg/controller/controller_utils.go (FailedCreatePodReason), read 2026-11-23.
 */
export async function refusedPods(
  kube: Kube,
  { namespace, signal }: { namespace: string; signal: AbortSignal },
): Promise<ReadonlyMap<string, string>> {
  const newest = new Map<string, { at: string; words: string }>();
  try {
    const fieldSelector = 'involvedObject.kind=DaemonSet,reason=FailedCreate';
    for await (const { items } of kube.list(resources.events, { namespace, fieldSelector, signal }))
      for (const { reason, message, lastTimestamp, eventTime, involvedObject } of items) {
        const uid = uidOf(involvedObject);
        if (reason !== 'FailedCreate' || typeof message !== 'string' || uid === null) continue;
        const at = String(lastTimestamp ?? eventTime ?? '');
        if (at >= (newest.get(uid)?.at ?? '')) newest.set(uid, { at, words: inWords(message) });
      }
  } catch (error) {
    if (!isKubeError(error) || isKubeError(error, 'aborted')) throw error;
  }
  return new Map([...newest].map(([uid, { words }]) => [uid, words]));
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
