import { type Clock, isKubeError, type Kube, type KubeObject } from '#lib/kube/index.ts';
import { holdTimes, names, resources } from '#lib/spec/index.ts';
import { visibleLine } from '#lib/text/index.ts';

/**
 * Whose preflight a namespace is, so that two of them do not take each other's pods away. It stands on the namespace itself: one that is there has a
 * holder from its first moment on, and no right is needed in a place that is not there yet.
 */
export type Holder = {
  /** Of one preflight, never used twice. */
  readonly id: string;
  /** Whether that is a process of this machine that has ended: nobody waits for it. */
  readonly isDead: (id: string) => Promise<boolean>;
};

/** Far longer than any that Signalbox writes. */
const longestId = 200;
const everyMs = 1_000;

export function heldBy({ id }: Pick<Holder, 'id'>, clock: Pick<Clock, 'now'>): Record<string, string> {
  return { [names.holderAnnotation]: id, ...renewedAt(clock) };
}

export function isHeldBy({ id }: Pick<Holder, 'id'>, { metadata }: KubeObject): boolean {
  return metadata.annotations?.[names.holderAnnotation] === id;
}

function renewedAt(clock: Pick<Clock, 'now'>): Record<string, string> {
  return { [names.renewedAnnotation]: new Date(clock.now()).toISOString() };
}

/** Renews until it is called. A renewal that fails is made up for by the next one; who is silent for too long loses the namespace, and sees it. */
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

/** What stays there is nobody's any more, and the next preflight may take it away. */
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

type Asked = { kube: Kube; clock: Clock; signal: AbortSignal; isDead?: Holder['isDead'] };

/**
 * Who is at work in this namespace, in words; null: nobody, or it is another or none by now. Its renewals are compared, and no time of another machine
 * is computed with.
 */
export async function livingHolder(
  { kube, clock, signal, isDead }: Asked,
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
