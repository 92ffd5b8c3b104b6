'use client';

import { useEffect, useState } from 'react';

/** Of `path`; what was read before stays until the next is there. */
export type Answered<T> = {
  readonly path: string | null;
  readonly read: T | null;
  readonly failed: string | null;
};

/** What is typed is asked for when it stands. */
const standsMs = 250;

/**
 * What the console answers at a path: read when the path changes, and every `everyMs` while the page is in sight. Null: nothing is asked. `is` tells that it
 * is our server's answer at all: both sides are of one build.
 */
export function useAnswer<T>(
  path: string | null,
  everyMs: number | null,
  is: (told: unknown) => told is T,
): Answered<T> & { again: () => void } {
  const [known, setKnown] = useState<Answered<T>>({ path: null, read: null, failed: null });
  const [turn, setTurn] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `turn` asks again; `is` decides nothing that changes
  useEffect(() => {
    if (path === null) return;
    const stop = new AbortController();
    let isAsking = false;
    let isRead = false;
    const ask = async () => {
      if (isAsking || document.visibilityState !== 'visible') return;
      isAsking = true;
      const told = await answerOf(path, is, stop.signal);
      isAsking = false;
      if (stop.signal.aborted) return;
      isRead = true;
      setKnown((before) =>
        'failed' in told ? { path, read: before.read, failed: told.failed } : { path, read: told.read, failed: null },
      );
    };
    const first = setTimeout(() => void ask(), known.path === null ? 0 : standsMs);
    const timer = everyMs === null ? undefined : setInterval(() => void ask(), everyMs);
    // A tab in the background asks when it is looked at.
    const seen = () => {
      if (everyMs !== null || !isRead) void ask();
    };
    document.addEventListener('visibilitychange', seen);
    return () => {
      stop.abort();
      clearTimeout(first);
      clearInterval(timer);
      document.removeEventListener('visibilitychange', seen);
    };
  }, [path, everyMs, turn]);
  return { ...known, again: () => setTurn(turn + 1) };
}

async function answerOf<T>(
  path: string,
  is: (told: unknown) => told is T,
  signal: AbortSignal,
): Promise<{ read: T } | { failed: string }> {
  try {
    const response = await fetch(path, { signal, cache: 'no-store' });
    const told: unknown = await response.json();
    if (response.ok && is(told)) return { read: told };
    return { failed: hasMessage(told) ? told.message : 'The console answered something else than flows.' };
  } catch {
    return { failed: 'The console does not answer.' };
  }
}

function hasMessage(told: unknown): told is { message: string } {
  return typeof told === 'object' && told !== null && 'message' in told && typeof told.message === 'string';
}
