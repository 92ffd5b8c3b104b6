import type { Clock } from '../../clock.ts';
import { KubeError } from '../../error.ts';
import type { KubeObject } from '../../object.ts';
import type { WatchEvent } from '../../port.ts';
import { frozen } from '../json.ts';
import type { Change, History } from './history.ts';
import type { Matcher } from './selectors.ts';

/** What the store does to an open watch. After `close` it resumes where it was; after `expire` and `served` it lists again. */
export type WatchSignal = { type: 'close' | 'expire' | 'bookmark' | 'served'; kindKey?: string };

export type WatchSource = {
  history: History;
  kindKey: string;
  matches: Matcher;
  /** Lists what matches now; null while the kind is not served. May throw a KubeError (permissions, injected faults). */
  list(): Promise<KubeObject[] | null>;
  subscribe(listener: (signal: WatchSignal) => void): () => void;
  notServed(): KubeError;
  clock: Clock;
  signal?: AbortSignal;
};

/** Errors that waiting cannot fix end a watch (port.ts › WatchEvent). */
const final = new Set(['unauthorized', 'forbidden', 'credentials']);
const retryInMs = 1_000;

/**
 * A watch as the port promises it: `synced` first and after each loss of history, and every change in order in between. An idle watch runs no timer, so that
 * it does not drive an instant clock; it waits only after injected faults.
 */
export async function* watchHistory(source: WatchSource): AsyncGenerator<WatchEvent> {
  const inbox = new Inbox();
  const stop = [
    source.history.listen((change) => {
      if (change.kindKey === source.kindKey) inbox.put({ change });
    }),
    source.subscribe((signal) => {
      if (signal.kindKey === undefined || signal.kindKey === source.kindKey) inbox.put({ signal });
    }),
  ];
  const onAbort = () => inbox.put({ aborted: true });
  source.signal?.addEventListener('abort', onAbort, { once: true });
  try {
    let position = -1;
    while (!source.signal?.aborted) {
      if (position < 0) {
        let interrupted: KubeError | null = null;
        try {
          const objects = await source.list();
          if (source.signal?.aborted) return;
          if (objects) {
            position = source.history.revision;
            yield { type: 'synced', objects, resourceVersion: String(position) };
            continue;
          }
          interrupted = source.notServed();
        } catch (error) {
          if (!(error instanceof KubeError) || final.has(error.code)) throw error;
          interrupted = error;
        }
        yield { type: 'interrupted', because: interrupted, retryInMs };
        if (interrupted.code === 'not-served') await inbox.until((item) => 'aborted' in item || isServed(item));
        else await source.clock.sleep(retryInMs, source.signal).catch(() => undefined);
        continue;
      }
      const item = await inbox.take();
      if ('aborted' in item) return;
      if ('signal' in item) {
        if (item.signal.type === 'bookmark')
          yield { type: 'bookmark', resourceVersion: String(source.history.revision) };
        else if (item.signal.type !== 'close') position = -1;
        continue;
      }
      const { change } = item;
      if (change.revision <= position) continue;
      position = change.revision;
      const event = seenThrough(source.matches, change);
      if (event) yield event;
    }
  } finally {
    source.signal?.removeEventListener('abort', onAbort);
    for (const end of stop) end();
  }
}

/** With a selector, an object that starts to match is `added` and one that stops matching is `deleted`, as from the API server. */
export function seenThrough(matches: Matcher, change: Change): Extract<WatchEvent, { object: KubeObject }> | null {
  const wasThere = change.before !== null && matches(change.before);
  const isThere = change.type !== 'deleted' && matches(change.object);
  if (!wasThere && !isThere) return null;
  return { type: isThere ? (wasThere ? 'modified' : 'added') : 'deleted', object: frozen(change.object) };
}

type Item = { change: Change } | { signal: WatchSignal } | { aborted: true };

function isServed(item: Item): boolean {
  return 'signal' in item && item.signal.type === 'served';
}

class Inbox {
  readonly #items: Item[] = [];
  #wake: (() => void) | null = null;

  put(item: Item): void {
    this.#items.push(item);
    this.#wake?.();
  }

  async take(): Promise<Item> {
    for (;;) {
      const item = this.#items.shift();
      if (item) return item;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
      this.#wake = null;
    }
  }

  async until(found: (item: Item) => boolean): Promise<void> {
    while (!found(await this.take()));
  }
}
