import type { Kube, KubeObject } from '#lib/kube/index.ts';
import { resources } from '#lib/spec/index.ts';
import { maskedText } from '#lib/text/index.ts';

/** An Event of Kubernetes or a controller about an object. `at`: when it last occurred. */
export type StepEvent = { at: string; object: string; isWarning: boolean; reason: string; message: string };

export type EventSubject = { kind: string; namespace: string | null; name: string };

/** Events come sorted by name, which says nothing about their time, so several pages are searched. */
const pageSize = 500;
const pagesRead = 10;
const mostEvents = 50;
const lettersShown = 300;

/**
 * The newest Events about an object since a time (RFC 3339), newest first. Those about cluster-scoped objects are in `default`. `notRead`: a sentence
 * if there are more than were searched. Rejects with the KubeError of the reading.
 */
export async function eventsAbout(
  kube: Kube,
  { kind, namespace, name }: EventSubject,
  since: string,
  signal: AbortSignal,
): Promise<{ events: StepEvent[]; notRead: string | null }> {
  const object = `${kind}/${name}`;
  const fieldSelector = `involvedObject.kind=${kind},involvedObject.name=${name}`;
  const listed = kube.list(resources.events, { namespace: namespace ?? 'default', fieldSelector, pageSize, signal });
  let events: StepEvent[] = [];
  let pages = 0;
  for await (const { items } of listed) {
    if (pages === pagesRead)
      return {
        events,
        notRead: `There are more than ${pageSize * pagesRead} events about ${object}: newer ones may be missing.`,
      };
    pages += 1;
    const later = items.map((item) => stepEvent(item, object)).filter(({ at }) => Date.parse(at) >= Date.parse(since));
    events = newestFirst([...events, ...later]).slice(0, mostEvents);
  }
  return { events, notRead: null };
}

/** Compared as times, not as text: some have microseconds. */
export function newestFirst(events: readonly StepEvent[]): StepEvent[] {
  return [...events].sort((one, other) => Date.parse(other.at) - Date.parse(one.at));
}

function stepEvent(event: KubeObject, object: string): StepEvent {
  const textOf = (value: unknown) => (typeof value === 'string' ? value : '');
  return {
    at: textOf(event.lastTimestamp) || textOf(event.eventTime) || textOf(event.metadata.creationTimestamp),
    object,
    isWarning: event.type === 'Warning',
    reason: textOf(event.reason).slice(0, 100),
    message: maskedText(textOf(event.message)).slice(0, lettersShown),
  };
}
