import { type Clock, isKubeError, type Kube, type KubeObject } from '#lib/kube/index.ts';
import { holdTimes, names, resources } from '#lib/spec/index.ts';
import { visibleLine } from '#lib/text/index.ts';

/**
 * Marks a namespace as belonging to one preflight, so that two do not delete each other's pods. The marks are on the namespace itself, so it has a
 * holder from its creation on, and no right in another place is needed.
 */
export type Holder = {
  /** The id of one preflight, never reused. */
  readonly id: string;
  /** Whether the holder with this id is a process of this machine that has ended, so that nobody must wait for it. */
  readonly isDead: (id: string) => Promise<boolean>;
};

/** Longest id that a sentence shows: far longer than those that Signalbox writes. */
const longestId = 200;
const everyMs = 1_000;

/** The annotations by which a holder marks its namespace, with the time of the renewal. */
export function heldBy({ id }: Pick<Holder, 'id'>, clock: Pick<Clock, 'now'>): Record<string, string> {
  return { [names.holderAnnotation]: id, ...renewedAt(clock) };
}

/** Whether the namespace has this holder's mark. */
export function isHeldBy({ id }: Pick<Holder, 'id'>, { metadata }: KubeObject): boolean {
  return metadata.annotations?.[names.holderAnnotation] === id;
}

function renewedAt(clock: Pick<Clock, 'now'>): Record<string, string> {
  return { [names.renewedAnnotation]: new Date(clock.now()).toISOString() };
}

/**
 * Renews the hold every few seconds until the returned function is called. A failed renewal is not repeated before the next one is due. A holder that is
 * silent for too long loses the namespace to another preflight, and notices it at its next look.
 */
export function renewHold({ kube, clock }: { kube: Kube; clock: Clock }, name: string): () => Promise<void> {
  const stop = new AbortController();
  const renewing = (async () => {
    while (!stop.signal.aborted) {
      await clock.sleep(holdTimes.renewEveryMs, stop.signal);
      await annotate(kube, name, renewedAt(clock), stop.signal);
    }
  })().catch(() => {});
  return async () => {
    stop.abort();
    await renewing;
  };
}

/** Ends the hold. The next preflight may then remove what is in the namespace. */
export function endHold(kube: Kube, name: string): Promise<void> {
  const none = { [names.holderAnnotation]: null, [names.renewedAnnotation]: null };
  return annotate(kube, name, none, AbortSignal.timeout(holdTimes.renewEveryMs));
}

async function annotate(
  kube: Kube,
  name: string,
  annotations: Readonly<Record<string, string | null>>,
  signal: AbortSignal,
): Promise<void> {
  const call = { signal, timeoutMs: holdTimes.renewEveryMs };
  await kube
    .patch({ resource: resources.namespaces, name }, { type: 'merge', body: { metadata: { annotations } } }, call)
    .catch((error: unknown) => {
      if (!isKubeError(error) && !signal.aborted) throw error;
    });
}

type LivingHolderOptions = { kube: Kube; clock: Clock; signal: AbortSignal; isDead?: Holder['isDead'] };

/**
 * The preflight that works in this namespace, as a sentence; null if there is none, or the namespace is gone or replaced. Compares renewals only with
 * each other, because clocks of other machines may differ.
 */
export async function livingHolder(
  { kube, clock, signal, isDead }: LivingHolderOptions,
  { metadata }: KubeObject,
): Promise<string | null> {
  const { [names.holderAnnotation]: id, [names.renewedAnnotation]: renewed } = metadata.annotations ?? {};
  if (id === undefined || (await isDead?.(id))) return null;
  const began = clock.monotonic();
  while (clock.monotonic() - began < holdTimes.durationMs) {
    await clock.sleep(everyMs, signal);
    const now = await kube.get({ resource: resources.namespaces, name: metadata.name ?? '' }, { signal });
    if (now?.metadata.uid !== metadata.uid || now?.metadata.deletionTimestamp || !now || !isHeldBy({ id }, now))
      return null;
    if (now.metadata.annotations?.[names.renewedAnnotation] !== renewed) return inWords(id, metadata, clock);
  }
  return null;
}

function inWords(id: string, { creationTimestamp }: KubeObject['metadata'], clock: Clock): string {
  const seconds = Math.floor((clock.now() - Date.parse(String(creationTimestamp))) / 1_000);
  const age =
    seconds >= 0 ? ` began ${seconds < 120 ? `${seconds} s` : `${Math.floor(seconds / 60)} min`} ago and` : '';
  return `Another preflight (${visibleLine(id.slice(0, longestId))})${age} still tests the nodes of this cluster.`;
}
