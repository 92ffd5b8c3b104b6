import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { FollowedFlow } from '../client/follow-flows.ts';
import { type Flow, historySeconds } from '../flow.ts';
import { answersOf, type HistoryAnswers } from './answers.ts';
import type { HistoryEngine, RecordedSpan } from './history-engine.ts';
import { historyTiers } from './history-tiers.ts';
import { openOrSetAside } from './open-or-set-aside.ts';
import { spanWith } from './recorded-time.ts';
import { openDuckDb } from './sql/open-duckdb.ts';

export type HistoryOptions = {
  /** Its file; null: in memory. */
  path: string | null;
  keptSeconds: number;
  /** Of its file; in memory it has 128 MiB at most. */
  mostBytes: number;
  /** Seconds since the epoch. */
  now(): number;
  log(line: string, cause?: unknown): void;
  /** For people, where nothing else is to be said. */
  remark?: string | null;
  /** In place of the disk and the engine, for tests. */
  freeBytes?(): Promise<number>;
  open?(path: string | null): Promise<HistoryEngine>;
};

/** `note` is for people: why it does not record, or what was lost. */
export type HistoryState = { readonly isRecording: boolean; readonly note: string | null };

/** What one cluster's network decided, for days (history-tiers.ts), in a file that this process alone has open. */
export type FlowHistory = HistoryAnswers & {
  /** Resolves when there is room for more. Never rejects: what cannot be recorded is a gap, and `state` says why. */
  take(event: FollowedFlow): Promise<void>;
  state(): HistoryState;
  /** The end of the newest flow that was told: now, by the aggregator's clock. Null where there is none yet. */
  newest(): number | null;
  /** Writes what was taken; nobody tells it more. */
  left(): Promise<void>;
  /** Writes what was taken. */
  flush(): Promise<void>;
  /** Moves and removes what is old, as it does each minute by itself. */
  tidy(): Promise<void>;
  close(): Promise<void>;
};

const flushMs = 2_000;
/** Flows that wait to be written: two chunks of the engine. What lives is what the heap grows by (bound-heap.ts). */
export const mostBuffered = 4_096;
const tendMs = 60_000;
/** Half of what the engine may take, so that it can answer questions too. */
const mostBytesInMemory = 128 * 1024 * 1024;
/** What nobody tells of any more grows old by this machine's clock, which may be wrong by so much. */
const clockTrustSeconds = 86_400;
const leastFreeBytes = 256 * 1024 * 1024;
const fromAhead =
  'Flows that begin more than an hour from now are not kept: the clock of the aggregator, or of this machine, is wrong.';

/**
 * Opens a history. A file that is damaged is set aside, and begun anew; rejects with a sentence where it cannot be opened for another reason
 * (open-or-set-aside.ts).
 */
export async function openHistory(options: HistoryOptions): Promise<FlowHistory> {
  const { path, keptSeconds, now, log, open = openDuckDb } = options;
  const mostBytes = path === null ? Math.min(options.mostBytes, mostBytesInMemory) : options.mostBytes;
  const freeBytes = options.freeBytes ?? (() => freeOf(path));
  const tiers = historyTiers(keptSeconds);
  let { engine, note }: { engine: HistoryEngine; note: string | null } = await openOrSetAside(path, open, log);
  let span = (await engine.spans()).at(-1) ?? null;
  /** What was recorded before this connection: the aggregator may tell it again. */
  let recordedUntil = span?.until ?? 0;
  let isFirst = true;
  let isGap = false;
  let trouble: string | null = null;
  /** After a fault of the disk a database takes nothing more until it is opened anew. */
  let isBroken = false;
  /** As the engine has it: what it removes of it is never said to be recorded again. */
  let kept = span;
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
    span = withoutRemoved(span, kept, last);
    kept = last;
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
      kept = until;
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

  // While the disk is full too: what is removed makes room.
  const tend = async () => {
    try {
      await reopen();
      // One flow may be an hour ahead: an aggregator tells an hour again, and none of that is to be added up yet.
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

  const taken = (flow: Flow, isTold: 'new' | 'again') => {
    isAhead = flow.start > now() + historySeconds;
    // One of them would be the newest for good: nothing after it would be told, and all that is kept would be too old.
    if (isAhead) return;
    const goesOn = span !== null && !isGap && flow.start - span.until < (isFirst ? 1 : historySeconds);
    isFirst = false;
    const before = span;
    span = spanWith(span, flow, goesOn);
    if (span.since !== before?.since) isGap = false;
    const again = isTold === 'again' || flow.start < recordedUntil;
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

/** The span of this process, without what was removed of `kept`, which is how the engine had it, when it left `last`. */
function withoutRemoved(
  span: RecordedSpan | null,
  kept: RecordedSpan | null,
  last: RecordedSpan | null,
): RecordedSpan | null {
  if (span === null || kept === null || span.since !== kept.since) return span;
  return { since: last?.since ?? kept.until, until: span.until };
}

async function freeOf(path: string | null): Promise<number> {
  if (path === null) return Number.POSITIVE_INFINITY;
  const { bavail, bsize } = await statfs(dirname(path));
  return bavail * bsize;
}
