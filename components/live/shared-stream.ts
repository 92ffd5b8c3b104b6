import { browser } from './browser.ts';
import { type LiveStream, liveStream } from './live-stream.ts';

/** How long a stream stays open without subscribers, so that the next page can use it. */
const keptMs = 5_000;

/** Streams of this tab by URL; components with the same URL share a connection. */
type Entry = { stream: unknown; followers: number };
const streams = new Map<string, Entry>();

/**
 * The stream of a URL. On the server each rendering has its own, which never connects.
 */
export function sharedStream<View extends { revision: number }, Event extends { event: string; data: unknown }>(
  url: string,
  initial: View,
  fold: (view: View, event: Event, id: number | null) => View,
): LiveStream<View> {
  // A URL always has the same type of view.
  const known = streams.get(url);
  if (known) return known.stream as LiveStream<View>;
  const own = liveStream<View, Event>(url, initial, fold, browser);
  if (typeof window === 'undefined') return own;

  const entry: Entry = { stream: own, followers: 0 };
  const dropLater = () =>
    setTimeout(() => {
      if (entry.followers === 0 && streams.get(url) === entry) streams.delete(url);
    }, keptMs);
  const stream: LiveStream<View> = {
    ...own,
    subscribe: (changed) => {
      streams.set(url, entry);
      entry.followers++;
      const leave = own.subscribe(changed);
      return () => {
        leave();
        entry.followers--;
        dropLater();
      };
    },
  };
  entry.stream = stream;
  streams.set(url, entry);
  dropLater();
  return stream;
}
