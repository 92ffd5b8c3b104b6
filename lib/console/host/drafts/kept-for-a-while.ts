import type { Freshness } from '../../host.ts';

/** Facts and dry runs that are older than this are made again (operations.md › The journal and recovery). */
export const freshMs = 5 * 60_000;

export type KeptForAWhile<T> = {
  get(key: string, freshness: Freshness, make: () => Promise<T>): Promise<T>;
  /** The kept value, however old. */
  peek(key: string): T | null;
  forget(keyPrefix: string): void;
};

/**
 * Keeps values of the last minutes, by key. A value is made once at a time for each key; whoever asks meanwhile shares it. `monotonic` is in ms. If
 * more than `entriesKept` are kept, the oldest is dropped. Failures are not kept.
 */
export function keptForAWhile<T>(monotonic: () => number, entriesKept: number): KeptForAWhile<T> {
  const entries = new Map<string, { value: T; at: number }>();
  const making = new Map<string, Promise<T>>();
  const put = (key: string, value: T) => {
    entries.delete(key);
    entries.set(key, { value, at: monotonic() });
    for (const oldest of entries.keys()) {
      if (entries.size <= entriesKept) break;
      entries.delete(oldest);
    }
  };
  return {
    get: (key, freshness, make) => {
      const found = entries.get(key);
      if (freshness === 'kept' && found && monotonic() - found.at < freshMs) return Promise.resolve(found.value);
      const under = making.get(key);
      if (under) return under;
      const made = make()
        .then((value) => {
          // Forgotten while it was made: it is returned to those who asked, but not kept for others.
          if (making.get(key) === made) put(key, value);
          return value;
        })
        .finally(() => {
          if (making.get(key) === made) making.delete(key);
        });
      making.set(key, made);
      return made;
    },
    peek: (key) => entries.get(key)?.value ?? null,
    forget: (prefix) => {
      for (const key of [...entries.keys()]) if (key.startsWith(prefix)) entries.delete(key);
      for (const key of [...making.keys()]) if (key.startsWith(prefix)) making.delete(key);
    },
  };
}
