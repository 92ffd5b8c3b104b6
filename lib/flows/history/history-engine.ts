import type { Flow } from '../flow.ts';
import type { Query } from '../query/query.ts';

/**
 * The store of a history; one interface for all engines. It takes flows and the same `Query` as the page, its address and the command line. SQL is
 * only in `sql/`. Writes come one at a time; concurrent reads see whole batches.
 */
export type HistoryEngine = {
  /** Writes the batch completely or not at all; it is on the disk when it resolves. `span`: the recorded time including the batch. */
  append(batch: readonly RecordedFlow[], span: RecordedSpan | null): Promise<void>;
  /** Flows summed over the whole range, newest first, at most `most`. */
  list(query: HistoryQuery, most: number): Promise<ListedFlows>;
  /** Sums for each step of the range. Steps without flows are left out, whether or not they were recorded. */
  series(query: HistoryQuery, stepSeconds: number): Promise<HistorySums[]>;
  /** The recorded times, oldest first, without overlaps. */
  spans(): Promise<RecordedSpan[]>;
  /**
   * Moves flows that are older than their tier keeps into the next tier, and removes those older than the last tier keeps (history-tiers.ts). `now`
   * in seconds since the epoch.
   */
  rollUp(now: number, tiers: readonly HistoryTier[]): Promise<void>;
  /** The bytes in use, on the disk or in memory. */
  usedBytes(): Promise<number>;
  /** Removes the oldest tenth of the time that is kept. */
  removeOldest(): Promise<void>;
  close(): Promise<void>;
};

/** `again`: the flow may be stored already with lower counts, which it replaces. */
export type RecordedFlow = { readonly flow: Flow; readonly again: boolean };

/** A time in which every flow of the aggregator was recorded, in seconds since the epoch; `until` is exclusive. */
export type RecordedSpan = { readonly since: number; readonly until: number };

/** The terms of a query with fixed times, in seconds since the epoch. */
export type HistoryQuery = Pick<Query, 'terms'> & RecordedSpan;

/** The most flows of a history that are listed at once, newest first: a page and a comparison hold them all in memory. */
export const mostListed = 10_000;

/** `isCut`: there are more flows. */
export type ListedFlows = { readonly flows: readonly Flow[]; readonly isCut: boolean };

/** Counts flows as the aggregator sends them: per 15 s, reporting end, pair, port, verdict and policies. */
export type HistorySums = {
  /** The start of the step, in seconds since the epoch. */
  readonly at: number;
  readonly allowed: number;
  readonly denied: number;
  readonly bytes: number;
};

/** Rows of `stepSeconds` each, kept until they are older than `keptSeconds`. */
export type HistoryTier = { readonly stepSeconds: number; readonly keptSeconds: number };
