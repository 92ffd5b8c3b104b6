import type { Flow } from '../flow.ts';
import type { Query } from '../query/query.ts';

/**
 * What a history is kept in: one port for every engine. It takes flows and the same `Query` as the page, its address and the command line; SQL stands in
 * `sql/` alone. Writers come one at a time; readers beside them see whole batches.
 */
export type HistoryEngine = {
  /** All or nothing, and on the disk when it resolves. `spans`: what was recorded by now. */
  append(batch: readonly RecordedFlow[], span: RecordedSpan | null): Promise<void>;
  /** One flow for the whole time of the range, with what was added up; newest first, `most` at most. */
  list(query: Asked, most: number): Promise<ListedFlows>;
  /** What was told in each step of the range; a step in which nothing was told is left out, whether or not it was recorded. */
  series(query: Asked, stepSeconds: number): Promise<HistorySums[]>;
  /** Oldest first, not overlapping. */
  spans(): Promise<RecordedSpan[]>;
  /** Moves what is older than its tier keeps into the next one; removes what is older than the last one keeps (history-tiers.ts). `now`: seconds. */
  rollUp(now: number, tiers: readonly HistoryTier[]): Promise<void>;
  /** What it takes on the disk, or in memory: bytes in use. */
  usedBytes(): Promise<number>;
  /** Removes the oldest tenth of the time that is kept. */
  removeOldest(): Promise<void>;
  close(): Promise<void>;
};

/** `again`: the flow may be there with fewer counts, and is replaced. */
export type RecordedFlow = { readonly flow: Flow; readonly again: boolean };

/** Seconds since the epoch, in which every flow that the aggregator told was recorded. `until` is the first second after it. */
export type RecordedSpan = { readonly since: number; readonly until: number };

/** `terms` of a query, at times that are settled: seconds since the epoch. */
export type Asked = Pick<Query, 'terms'> & RecordedSpan;

/** How many flows of a history are listed at once, newest first: a page and a comparison hold them all in memory. */
export const mostListed = 10_000;

/** `isCut`: there are more. */
export type ListedFlows = { readonly flows: readonly Flow[]; readonly isCut: boolean };

/** Flows are counted as the aggregator tells them: one for each pair, port, verdict and policies in 15 s, by each end. */
export type HistorySums = {
  /** Seconds since the epoch: where the step begins. */
  readonly at: number;
  readonly allowed: number;
  readonly denied: number;
  readonly bytes: number;
};

/** Rows of `stepSeconds`, for as long as they are younger than `keptSeconds`. */
export type HistoryTier = { readonly stepSeconds: number; readonly keptSeconds: number };
