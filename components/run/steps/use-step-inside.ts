'use client';

import { useCallback, useEffect, useRef, useState } from 'react';
import { answerAt } from '#components/ui/call/answer-at.ts';
import type { StepInside } from '#lib/run/index.ts';

/** `at`: milliseconds of `Date.now()`. While the step is read again, `inside` keeps the last reading. */
export type Reading = { inside: FirstReading | null; failed: string | null; isReading: boolean };
export type FirstReading = { value: StepInside; at: number };

/** How often a followed step is read, and for how long: a page that is left open must not ask a cluster for logs for ever. */
const followEveryMs = 3000;
const followForMs = 10 * 60_000;

/**
 * The details of a step. They are read when the step is opened without a `first` reading, when its `state` changes, and on request. Reading goes on by itself
 * only for a step that the user follows, while the page is visible.
 */
export function useStepInside(
  { cluster, run, seq, state }: { cluster: string; run: string; seq: number; state: string },
  first: FirstReading | null,
): Reading & { again(): void; isFollowed: boolean; follow(on: boolean): void } {
  const [isFollowed, follow] = useState(false);
  const [reading, setReading] = useState<Reading>({ inside: first, failed: null, isReading: first === null });
  /** The state of the step that was read last. */
  const readAt = useRef(first === null ? null : state);
  const asking = useRef<AbortController | null>(null);
  const read = useCallback(async () => {
    asking.current?.abort();
    const asked = new AbortController();
    asking.current = asked;
    setReading((before) => ({ ...before, isReading: true }));
    const answer = await ask(cluster, run, seq, asked.signal);
    if (asked.signal.aborted) return;
    setReading((before) =>
      typeof answer === 'string'
        ? { ...before, failed: answer, isReading: false }
        : { inside: { value: answer, at: Date.now() }, failed: null, isReading: false },
    );
  }, [cluster, run, seq]);
  useEffect(() => {
    if (readAt.current === state) return;
    readAt.current = state;
    void read();
    return () => asking.current?.abort();
  }, [read, state]);
  useEffect(() => {
    if (!isFollowed) return;
    const timer = setInterval(() => document.visibilityState === 'visible' && void read(), followEveryMs);
    const end = setTimeout(() => follow(false), followForMs);
    return () => {
      clearInterval(timer);
      clearTimeout(end);
    };
  }, [isFollowed, read]);
  return { ...reading, again: () => void read(), isFollowed, follow };
}

/** The step, or why it cannot be read. */
function ask(cluster: string, run: string, seq: number, signal: AbortSignal): Promise<StepInside | string> {
  const path = `/api/clusters/${encodeURIComponent(cluster)}/runs/${encodeURIComponent(run)}/steps/${seq}`;
  return answerAt(path, { is: isStepInside, what: 'this step', signal });
}

function isStepInside(value: unknown): value is StepInside {
  return typeof value === 'object' && value !== null && 'seq' in value && 'objects' in value && 'pods' in value;
}
