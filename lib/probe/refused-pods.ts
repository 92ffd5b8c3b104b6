import { type Clock, isKubeError, type Kube } from '#lib/kube/index.ts';
import { resources } from '#lib/spec/index.ts';
import { maskedText, visibleLine } from '#lib/text/index.ts';

/** `at`: ms since the epoch in whole seconds, like the times of pods; 0 without a time. */
type Refusal = { readonly at: number; readonly words: string };
/** A pod of a DaemonSet, also one that has no node yet. `madeAt`: ms since the epoch; NaN if missing. */
type MadePod = { readonly madeAt: number };

/** Far longer than a rule's own words, because admission webhooks may answer anything. */
const longestWords = 400;
/** A new account or quota is not known everywhere at once. Pods that are still refused after this time will not come. */
const refusedAfterMs = 10_000;

/** Why a DaemonSet's pods are refused now, by its UID: a phrase, masked and limited. DaemonSets whose pods are not refused are left out. */
export type RefusedNow = (
  lacking: ReadonlyMap<string, readonly MadePod[]>,
  signal: AbortSignal,
) => Promise<ReadonlyMap<string, string>>;

/**
 * For the DaemonSets of one namespace that lack pods, with the pods that they have. Call it repeatedly: it reports a refusal only after it has lasted
 * for a while.
 */
export function refusedNow(kube: Kube, clock: Pick<Clock, 'monotonic'>, namespace: string): RefusedNow {
  const since = new Map<string, number>();
  return async (lacking, signal) => {
    const newest = lacking.size === 0 ? new Map<string, Refusal>() : await refusals(kube, { namespace, signal });
    const now = clock.monotonic();
    for (const uid of since.keys()) if (!lacking.has(uid)) since.delete(uid);
    return new Map(
      [...lacking].flatMap(([uid, pods]) => {
        const refusal = newest.get(uid);
        if (refusal === undefined || isOver(refusal, pods)) {
          since.delete(uid);
          return [];
        }
        const began = since.get(uid) ?? now;
        since.set(uid, began);
        return now - began < refusedAfterMs ? [] : [[uid, refusal.words] as const];
      }),
    );
  };
}

/**
 * The API server's newest refusal to each DaemonSet's controller (PodSecurity, a quota, an SCC of OpenShift, a webhook), by the DaemonSet's UID.
 * Empty if events may not be read.
 * `FailedCreate`: kubernetes/kubernetes pkg/controller/controller_utils.go (FailedCreatePodReason), read 2026-11-23.
 */
async function refusals(
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
        const at = Math.floor((Date.parse(String(lastTimestamp ?? eventTime)) || 0) / 1_000) * 1_000;
        if (at >= (newest.get(uid)?.at ?? 0)) newest.set(uid, { at, words: inWords(message) });
      }
  } catch (error) {
    if (!isKubeError(error) || isKubeError(error, 'aborted')) throw error;
  }
  return newest;
}

/**
 * Whether a pod was made since: the refusal was temporary, such as before an account was known everywhere. Both times are whole seconds; within one
 * second the pod counts as later, because a lasting refusal is reported again.
 */
function isOver({ at }: Refusal, pods: readonly MadePod[]): boolean {
  return at > 0 && pods.some(({ madeAt }) => madeAt >= at);
}

function uidOf(about: unknown): string | null {
  const uid = about !== null && typeof about === 'object' && 'uid' in about ? about.uid : null;
  return typeof uid === 'string' ? uid : null;
}

function inWords(message: string): string {
  // Masked before it is cut, because half of a secret would not be recognised.
  const words = visibleLine(maskedText(message.slice(0, 64 * longestWords)).replace(/^Error creating: /, ''));
  return words.length > longestWords ? `${words.slice(0, longestWords)}…` : words;
}
