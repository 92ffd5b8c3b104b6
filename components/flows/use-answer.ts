'use client';

import { useEffect, useState } from 'react';
import { answerAt } from '#components/ui/call/answer-at.ts';

/** The answer of `path`; the previous one stays until it arrives. */
export type Answered<T> = {
  readonly path: string | null;
  readonly read: T | null;
  readonly failed: string | null;
};

/** Delay before a changed path is requested. */
const standsMs = 250;

/**
 * The console's answer at a path: requested when the path changes, and every `everyMs` while the page is visible. Null: no request. `is`: see `answerAt`.
 */
export function useAnswer<T extends object>(
  path: string | null,
  everyMs: number | null,
  is: (value: unknown) => value is T,
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
      const answer = await answerAt(path, { is, what: 'flows', signal: stop.signal });
      isAsking = false;
      if (stop.signal.aborted) return;
      isRead = true;
      setKnown((before) =>
        typeof answer === 'string' ? { path, read: before.read, failed: answer } : { path, read: answer, failed: null },
      );
    };
    const first = setTimeout(() => void ask(), known.path === null ? 0 : standsMs);
    const timer = everyMs === null ? undefined : setInterval(() => void ask(), everyMs);
    // A background tab sends its request when it becomes visible.
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
