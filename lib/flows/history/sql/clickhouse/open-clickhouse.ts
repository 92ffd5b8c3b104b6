import type { Flow } from '../../../flow.ts';
import { flowSchema } from '../../../flow-schema.ts';
import type { HistoryEngine, RecordedFlow, RecordedSpan } from '../../history-engine.ts';
import { tierSteps } from '../../history-tiers.ts';
import type { Dialect, Part } from '../dialect.ts';
import { countRow, flowOf, hashOf, keyOf, keyRow } from '../flow-columns.ts';
import { KnownKeys } from '../known-keys.ts';
import { listed, series } from '../questions.ts';
import { tierTable } from '../schema.ts';
import type { ClickHouse, Row } from './connect.ts';
import { graceSeconds } from './schema.ts';

/**
 * A history that several processes write. Each row has the time until which it counts (`expires` of schema.ts); the server removes it `graceSeconds`
 * later.
 */
export type SharedEngine = Omit<HistoryEngine, 'usedBytes' | 'removeOldest'> & {
  /**
   * Removes rows that a coarser tier has replaced for `graceSeconds`. Without it they stay as long as everything else. Needs the right ALTER DELETE.
   */
  removeFiner(): Promise<void>;
};

export type SharedOptions = {
  /** The UID of the cluster. */
  readonly cluster: string;
  readonly keptSeconds: number;
  /** Seconds since the epoch; by default this machine's clock. */
  now?(): number;
};

/**
 * If a process ends before it has rolled up late rows, the next does so, this many seconds back. Late rows are at most an hour old, because an
 * aggregator keeps no more.
 */
const lateSeconds = 2 * 3600;
const atOnceSeconds = 3600;
const countColumns = 'verdict, told, bytes_in, bytes_out, packets_in, packets_out, started, completed, live';

/** Opens one cluster's history in a ClickHouse. */
export function openClickHouse(
  clickHouse: ClickHouse,
  { cluster, keptSeconds, now = () => Date.now() / 1000 }: SharedOptions,
): SharedEngine {
  const known = new KnownKeys();
  let knownSince = 0;
  /** The start of the oldest row that arrived after its tier was rolled up; from there on it must be rolled up again. */
  let lateFrom = Number.POSITIVE_INFINITY;
  /** At first it is unknown what an earlier process has left to roll up. */
  let isFirst = true;
  /** Equal for all tiers, so that no TTL removes rows that were not rolled up, however long no collector runs. */
  const expiryOf = (end: number) => end + keptSeconds + graceSeconds;
  let rolledAt = 0;
  /** Rows that expire before this time no longer count. It moves in whole rows of the last tier. */
  const leastExpiry = () => {
    const step = tierSteps[2];
    return Math.floor(Math.max(now(), rolledAt) / step) * step + graceSeconds;
  };
  /** For each step, the time before which a coarser tier holds the flows. */
  const readFloors = async (): Promise<Floors> => {
    const found = await clickHouse.ask(
      'SELECT step, max(before) AS before FROM floors WHERE cluster = ? GROUP BY step',
      [cluster],
    );
    const known = new Map(found.map(({ step, before }) => [Number(step), Number(before)]));
    return (step) => known.get(step) ?? 0;
  };
  const floorOf = async (step: number) => (await readFloors())(step);
  /**
   * Floors are read before the rows. A row that a later floor hides stays in its table for long, so one query counts each flow once, even if a
   * roll-up runs meanwhile.
   */
  const dialect = async () => dialectOf(cluster, await readFloors(), leastExpiry());

  /** Writes keys before the rows that refer to them, and the recorded time last. After a failure at any point the batch may be written again. */
  const append = async (batch: readonly RecordedFlow[], span: RecordedSpan | null) => {
    const newest = batch.reduce((latest, { flow }) => Math.max(latest, flow.end), 0);
    // A key is written again each day, so that it outlives the rows that refer to it.
    if (newest - knownSince > graceSeconds) {
      known.clear();
      knownSince = newest;
    }
    known.makeRoom();
    const keys: (string | number | null)[][] = [];
    const rows: (string | number | null)[][] = [];
    const step = tierSteps[0];
    for (const { flow } of batch) {
      const hash = hashOf(flow);
      const key = keyOf(hash);
      rows.push([cluster, ...plainRow(countRow(flow, key)), expiryOf(flow.start)]);
      if (!known.add(key)) continue;
      keys.push([cluster, ...plainRow(keyRow(flow, key, hash)), newest + keptSeconds + 3 * graceSeconds]);
    }
    try {
      if (keys.length > 0) await clickHouse.insert('keys', keys);
    } catch (error) {
      known.clear();
      throw error;
    }
    if (rows.length > 0) await clickHouse.insert(tierTable(step), rows);
    const oldest = batch.reduce((first, { flow }) => Math.min(first, flow.start), Number.POSITIVE_INFINITY);
    lateFrom = Math.min(lateFrom, oldest);
    if (span !== null) await clickHouse.insert('recorded', [[cluster, span.since, span.until, expiryOf(span.until)]]);
  };

  /** Sums up rows of a tier for the next one, which then replaces them. It goes hour by hour, so that a query needs a limited amount of memory. */
  const moveUp = async (step: number, next: number, before: number, late: number) => {
    const floor = await floorOf(step);
    const until = Math.max(before, floor);
    const first = Math.floor(Math.min(floor, late) / next) * next;
    // Only hours with rows: after months without a collector there would be thousands of empty ones.
    const hours = await clickHouse.ask(
      `SELECT start - start % ${atOnceSeconds} AS hour FROM ${tierTable(step)} WHERE cluster = ? AND start >= ? AND start < ? GROUP BY hour ORDER BY hour`,
      [cluster, first, until],
    );
    let reached = floor;
    const tells = async (end: number) => {
      if (end <= reached) return;
      await clickHouse.insert('floors', [[cluster, step, end]]);
      reached = end;
    };
    for (const hour of hours.map((row) => Number(row.hour))) {
      const [from, end] = [Math.max(first, hour), Math.min(until, hour + atOnceSeconds)];
      await clickHouse.run(
        `INSERT INTO ${tierTable(next)} SELECT cluster, start - start % ${next} AS whole, key, max(verdict), sum(told), sum(bytes_in), sum(bytes_out), sum(packets_in), sum(packets_out), sum(started), sum(completed), max(live), max(expires) FROM ${tierTable(step)} FINAL WHERE cluster = ? AND start >= ? AND start < ? GROUP BY cluster, whole, key`,
        [cluster, from, end],
      );
      // After a later failure it continues from here.
      await tells(end);
    }
    await tells(before);
  };

  const ask = (text: string, values: readonly (string | number)[]) => clickHouse.ask(text, values);

  return {
    append,
    list: async (query, most) => listed(ask, await dialect(), query, most, strangersFlow),
    series: async (query, stepSeconds) => series(ask, await dialect(), query, stepSeconds),
    spans: async () => {
      const found = await clickHouse.ask(
        'SELECT since, max(until) AS until, argMax(expires, until) AS expires FROM recorded WHERE cluster = ? GROUP BY since ORDER BY since',
        [cluster],
      );
      const least = leastExpiry();
      return together(
        found.flatMap((row) => {
          const [until, expires] = [Number(row.until), Number(row.expires)];
          // Rows count as long as their collector was configured to keep them.
          const since = Math.max(Number(row.since), least - (expires - until));
          return until <= since ? [] : [{ since, until }];
        }),
      );
    },
    rollUp: async (at, tiers) => {
      rolledAt = Math.max(rolledAt, at);
      const late = lateFrom;
      // Rows that arrive meanwhile are left for the next roll-up.
      lateFrom = Number.POSITIVE_INFINITY;
      try {
        for (const [index, { stepSeconds, keptSeconds: kept }] of tiers.entries()) {
          const next = tiers[index + 1]?.stepSeconds;
          if (next === undefined) continue;
          const before = Math.max(0, Math.floor((at - kept) / next) * next);
          const left = isFirst ? Math.max(0, (await floorOf(stepSeconds)) - lateSeconds) : late;
          await moveUp(stepSeconds, next, before, Math.min(late, left));
        }
        isFirst = false;
      } catch (error) {
        lateFrom = Math.min(lateFrom, late);
        throw error;
      }
    },
    removeFiner: async () => {
      const floor = await readFloors();
      for (const step of tierSteps.slice(0, -1)) {
        const where = `FROM ${tierTable(step)} WHERE cluster = ? AND start < ?`;
        const values = [cluster, Math.max(0, floor(step) - graceSeconds)];
        const [found] = await clickHouse.ask(`SELECT count() AS found ${where}`, values);
        if (Number(found?.found) > 0) await clickHouse.run(`DELETE ${where}`, values);
      }
    },
    close: () => clickHouse.close(),
  };
}

/** Others can write to the database. A row that is no flow is skipped, so that it breaks no page. */
function strangersFlow(row: Row): Flow | null {
  try {
    return flowSchema.parse(flowOf(row));
  } catch {
    return null;
  }
}

/** 64-bit numbers are text in JSON. */
function plainRow(row: readonly (string | number | bigint | null | unknown)[]): (string | number | null)[] {
  return row.map((value) => (typeof value === 'bigint' ? String(value) : (value as string | number | null)));
}

/** Joins overlapping spans, because two collectors of a cluster may record the same time. Takes and returns the oldest first. */
function together(spans: readonly RecordedSpan[]): RecordedSpan[] {
  const all: RecordedSpan[] = [];
  for (const span of spans) {
    const last = all.at(-1);
    if (last !== undefined && span.since <= last.until)
      all[all.length - 1] = { since: last.since, until: Math.max(last.until, span.until) };
    else all.push(span);
  }
  return all;
}

type Floors = (step: number) => number;

function dialectOf(cluster: string, floorOf: Floors, leastExpiry: number): Dialect {
  return {
    like: (column) => `${column} LIKE ?`,
    matches: (column) => `match(${column}, ?)`,
    column: (of, text) => (of === 'policies' ? of : `${of}_${text}`),
    among: (of, { text, values }) => ({
      text: of === 'service' ? `(service_name IS NOT NULL AND ${text})` : text,
      values,
    }),
    rest: { columns: 'k.rest AS rest', joins: '' },
    // Each tier contributes the rows between its own floor and that of the finer tier. The last tier has no floor; its rows end by `expires`.
    rows: ({ since, until }) => {
      const parts = tierSteps.map((step, index): Part => {
        const finer = index === 0 ? null : (tierSteps[index - 1] ?? null);
        const begin = Math.floor(since) - step + 1;
        const isLast = index === tierSteps.length - 1;
        const from = isLast ? begin : Math.max(floorOf(step), begin);
        const end = Math.min(finer === null ? Number.POSITIVE_INFINITY : floorOf(finer), Math.ceil(until));
        return {
          text: `SELECT start, key, ${countColumns}, ${step} AS step FROM ${tierTable(step)} FINAL WHERE cluster = ? AND start >= ? AND start < ? AND expires > ?`,
          values: [cluster, from, end, leastExpiry - 1],
        };
      });
      return { text: parts.map(({ text }) => text).join(' UNION ALL '), values: parts.flatMap(({ values }) => values) };
    },
    keys: { text: '(SELECT * FROM keys FINAL WHERE cluster = ?)', values: [cluster] },
    keysAmong: (list) => ({
      text: `(SELECT * FROM keys FINAL WHERE cluster = ? AND key IN (${list}))`,
      values: [cluster],
    }),
  };
}
