import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { FollowedFlow } from '../client/follow-flows.ts';
import { type Flow, historySeconds } from '../flow.ts';
import { answersOf, type HistoryAnswers } from './answers.ts';
import type { HistoryEngine, RecordedSpan } from './history-engine.ts';
import { historyTiers } from './history-tiers.ts';
import { openOrSetAside } from './open-or-set-aside.ts';
import { spanWith } from './recorded-time.ts';
import { openDuckDb } from './sql/duckdb/open-duckdb.ts';

export type HistoryOptions = {
  /** The database file; null keeps the history in memory. */
  path: string | null;
  keptSeconds: number;
  /** The limit of the file; in memory it is at most 128 MiB. */
  mostBytes: number;
  /** Seconds since the epoch. */
  now(): number;
  log(line: string, cause?: unknown): void;
  /** A message for people, shown if there is no other. */
  remark?: string | null;
  /** Replace the disk and the engine in tests. */
  freeBytes?(): Promise<number>;
  open?(path: string | null): Promise<HistoryEngine>;
};

/** `note` is for people: why it does not record, or what was lost. */
export type HistoryState = { readonly isRecording: boolean; readonly note: string | null };

/** A history of one cluster's flows over days (history-tiers.ts), in a file that only this process has open. */
export type FlowHistory = HistoryAnswers & {
  /** Resolves when there is room for more. Never rejects: what cannot be recorded becomes a gap, and `state` says why. */
  take(event: FollowedFlow): Promise<void>;
  state(): HistoryState;
  /** The end of the newest flow, which is now by the aggregator's clock. Null if there is none yet. */
  newest(): number | null;
  /** Writes the buffered flows. Call it when no more flows will be taken. */
  left(): Promise<void>;
  /** Writes the buffered flows. */
  flush(): Promise<void>;
  /** Rolls up and removes old flows. This also happens automatically every minute. */
  tidy(): Promise<void>;
  close(): Promise<void>;
};

const flushMs = 2_000;
/** The most flows that wait to be written: two chunks of the engine. The heap grows in proportion to live data (bound-heap.ts). */
export const mostBuffered = 4_096;
const tendMs = 60_000;
/** Half of the engine's memory limit, so that it can also answer queries. */
const mostBytesInMemory = 128 * 1024 * 1024;
/** Without new flows the history ages by this machine's clock, which may be wrong by up to this. */
const clockTrustSeconds = 86_400;
const leastFreeBytes = 256 * 1024 * 1024;
const fromAhead =
  'Flows that begin more than an hour from now are not kept: the clock of the aggregator, or of this machine, is wrong.';

/**
 * Opens a history. A damaged file is set aside and a new one begun. Rejects with a sentence if the file cannot be opened for another reason
 * (open-or-set-aside.ts).
 */
export async function openHistory(options: HistoryOptions): Promise<FlowHistory> {
  const { path, keptSeconds, now, log, open = openDuckDb } = options;
  const mostBytes = path === null ? Math.min(options.mostBytes, mostBytesInMemory) : options.mostBytes;
  const freeBytes = options.freeBytes ?? (() => freeOf(path));
  const tiers = historyTiers(keptSeconds);
  let { engine, note }: { engine: HistoryEngine; note: string | null } = await openOrSetAside(path, open, log);
  let span = (await engine.spans()).at(-1) ?? null;
  /** The end of what was recorded before this connection; the aggregator may send flows before it again. */
  let recordedUntil = span?.until ?? 0;
  let isFirst = true;
  let isGap = false;
  let trouble: string | null = null;
  /** After a disk error DuckDB refuses everything until it is reopened. */
  let isBroken = false;
  /** The span as the engine has stored it. What the engine removes from it must not be reported as recorded again. */
  let engineSpan = span;
  let isAhead = false;
  let isFed = false;
  let buffer = new Map<string, { flow: Flow; again: boolean }>();
  let writing: Promise<void> = Promise.resolve();

  const stopped = (because: string, cause?: unknown) => {
    if (trouble !== because) log(`flow history: ${because}`, cause);
    trouble = because;
    isGap = true;
  };

  const settle = async () => {
    const last = (await engine.spans()).at(-1) ?? null;
    span = withoutRemoved(span, engineSpan, last);
    engineSpan = last;
  };
  const reopen = async () => {
    if (!isBroken) return;
    await engine.close().catch(() => undefined);
    ({ engine, note } = await openOrSetAside(path, open, log));
    isBroken = false;
    await settle();
  };

  const write = async () => {
    if (buffer.size === 0) return;
    if ((await freeBytes().catch(() => Number.POSITIVE_INFINITY)) < leastFreeBytes) {
      buffer = new Map();
      stopped('The disk of the state folder is almost full: the history of flows is paused until there is room again.');
      return;
    }
    const batch = buffer;
    buffer = new Map();
    try {
      await reopen();
      const until = span;
      await engine.append([...batch.values()], until);
      engineSpan = until;
      trouble = null;
    } catch (error) {
      isBroken = true;
      stopped('The history of flows cannot be written, and is paused. Live flows are still shown.', error);
    }
  };
  const flush = () => {
    writing = writing.then(write);
    return writing;
  };

  // Also while the disk is full, because removing makes room.
  const tend = async () => {
    try {
      await reopen();
      // A flow may be up to an hour ahead, and the aggregator may send its last hour again, which must not be rolled up yet.
      const newest = Math.min(span?.until ?? 0, now());
      await engine.rollUp(isFed ? newest : Math.max(newest, now() - clockTrustSeconds), tiers);
      for (let times = 0; times < 20 && (await engine.usedBytes()) > mostBytes; times++) await engine.removeOldest();
      await settle();
    } catch (error) {
      isBroken = true;
      if (trouble === null) stopped('Old flows cannot be deleted; the history is paused.', error);
    }
  };
  const tidy = () => {
    writing = writing.then(tend);
    return writing;
  };
  const timers = [setInterval(() => void flush(), flushMs), setInterval(() => void tidy(), tendMs)];
  for (const timer of timers) timer.unref();

  const taken = (flow: Flow, delivered: 'new' | 'again') => {
    isAhead = flow.start > now() + historySeconds;
    // Such a flow would stay the newest: no later flow would be recorded, and everything kept would count as too old.
    if (isAhead) return;
    const goesOn = span !== null && !isGap && flow.start - span.until < (isFirst ? 1 : historySeconds);
    isFirst = false;
    const before = span;
    span = spanWith(span, flow, goesOn);
    if (span.since !== before?.since) isGap = false;
    const again = delivered === 'again' || flow.start < recordedUntil;
    buffer.set(flow.id, { flow, again: (buffer.get(flow.id)?.again ?? again) && again });
  };

  return {
    take: async (event) => {
      isFed = true;
      if (event.type === 'flow' || event.type === 'grown') taken(event.flow, event.type === 'grown' ? 'again' : 'new');
      else if (event.type === 'gap') isGap = true;
      else if (event.type === 'connected') recordedUntil = span?.until ?? 0;
      if (buffer.size >= mostBuffered) await flush();
    },
    state: () => ({
      isRecording: isFed && trouble === null,
      note: trouble ?? note ?? (isAhead ? fromAhead : (options.remark ?? null)),
    }),
    newest: () => span?.until ?? null,
    ...answersOf(
      () => engine,
      () => span?.until ?? null,
    ),
    left: () => {
      isFed = false;
      isFirst = true;
      return flush();
    },
    flush,
    tidy,
    close: async () => {
      for (const timer of timers) clearInterval(timer);
      await flush();
      await engine.close();
    },
  };
}

/** This process' span without what the engine has removed. `engineSpan` is the engine's span before the removal, `last` the one after it. */
function withoutRemoved(
  span: RecordedSpan | null,
  engineSpan: RecordedSpan | null,
  last: RecordedSpan | null,
): RecordedSpan | null {
  if (span === null || engineSpan === null || span.since !== engineSpan.since) return span;
  return { since: last?.since ?? engineSpan.until, until: span.until };
}

async function freeOf(path: string | null): Promise<number> {
  if (path === null) return Number.POSITIVE_INFINITY;
  const { bavail, bsize } = await statfs(dirname(path));
  return bavail * bsize;
}
