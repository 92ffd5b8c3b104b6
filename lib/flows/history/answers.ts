import type { Query } from '../query/query.ts';
import { liveSeconds, windowOf } from '../query/window.ts';
import type { HistoryEngine, HistorySums, ListedFlows, RecordedSpan } from './history-engine.ts';
import { stepOf } from './history-tiers.ts';

export type HistorySeries = {
  readonly since: number;
  readonly until: number;
  readonly stepSeconds: number;
  /** One entry per step of the range, in order. Null: not or only partly recorded, which differs from no traffic. */
  readonly steps: readonly ({ readonly allowed: number; readonly denied: number; readonly bytes: number } | null)[];
};

/** The queries that a history answers. */
export type HistoryAnswers = {
  list(query: Query, most: number): Promise<ListedFlows>;
  series(query: Query): Promise<HistorySeries>;
  spans(): Promise<readonly RecordedSpan[]>;
};

/** Answers queries from an engine, whoever writes it. `newest` returns the end of the newest flow; null if there is none. */
export function answersOf(
  engine: () => Pick<HistoryEngine, 'list' | 'series' | 'spans'>,
  newest: () => number | null,
): HistoryAnswers {
  const rangeOf = (query: Query): RecordedSpan => {
    const end = Math.max(newest() ?? 0, 1);
    const { since, until } = windowOf(query, end) ?? { since: end - liveSeconds, until: end };
    return { since: Math.max(0, since), until };
  };
  return {
    list: async (query, most) => engine().list({ terms: query.terms, ...rangeOf(query) }, most),
    series: async (query) => {
      const range = rangeOf(query);
      const stepSeconds = stepOf(range, newest() ?? range.until);
      const since = Math.floor(range.since / stepSeconds) * stepSeconds;
      const count = Math.min(1_000, Math.max(1, Math.ceil((range.until - since) / stepSeconds)));
      const until = since + count * stepSeconds;
      const [sums, spans] = await Promise.all([
        engine().series({ terms: query.terms, since, until }, stepSeconds),
        engine().spans(),
      ]);
      return { since, until, stepSeconds, steps: stepsOf(sums, spans, { since, stepSeconds, count }) };
    },
    spans: () => engine().spans(),
  };
}

/** A step has numbers if it was recorded from its beginning to its end, or up to now; otherwise it is a gap. */
function stepsOf(
  sums: readonly HistorySums[],
  spans: readonly RecordedSpan[],
  { since, stepSeconds, count }: { since: number; stepSeconds: number; count: number },
): HistorySeries['steps'] {
  const byStart = new Map(sums.map((sum) => [sum.at, sum]));
  const newest = spans.at(-1)?.until ?? 0;
  return Array.from({ length: count }, (_, index) => {
    const at = since + index * stepSeconds;
    const end = Math.min(at + stepSeconds, newest);
    if (!spans.some((span) => span.since <= at && span.until >= end && end > at)) return null;
    const { allowed = 0, denied = 0, bytes = 0 } = byStart.get(at) ?? {};
    return { allowed, denied, bytes };
  });
}
