import type { Flow } from '../../flow.ts';
import type { HistoryQuery, HistorySums, ListedFlows, RecordedSpan } from '../history-engine.ts';
import { conditionOf } from './condition.ts';
import type { Dialect, Part } from './dialect.ts';
import { flowOf } from './flow-columns.ts';

type Row = { readonly [column: string]: unknown };
/** Runs a query; rows have their columns by name. */
export type Ask = (text: string, values: readonly (string | number)[]) => Promise<Row[]>;

const sums =
  'sum(told)::DOUBLE AS told, sum(bytes_in)::DOUBLE AS bytes_in, sum(bytes_out)::DOUBLE AS bytes_out, sum(packets_in)::DOUBLE AS packets_in, sum(packets_out)::DOUBLE AS packets_out, sum(started)::DOUBLE AS started, sum(completed)::DOUBLE AS completed, max(live)::DOUBLE AS live';
/** Shares of a range, from its end: the newest flows are usually found in the first. */
const lookedAt = [0.02, 0.2, 1];

/** `list` of an engine (history-engine.ts). `read` makes a flow of a row; null if it is none. */
export async function listed(
  ask: Ask,
  dialect: Dialect,
  query: HistoryQuery,
  most: number,
  read: (row: Row) => Flow | null = flowOf,
): Promise<ListedFlows> {
  const where = rowsFor(query, dialect);
  let keys: bigint[] = [];
  for (const part of lookedAt) {
    const newest = Math.floor(query.until - (query.until - query.since) * part);
    const rows = dialect.rows({ since: Math.max(query.since, newest), until: query.until });
    const found = await ask(
      `SELECT key, max(start + step) AS ended FROM (${rows.text}) ${where.text} GROUP BY key ORDER BY ended DESC, key LIMIT ${Math.trunc(most) + 1}`,
      [...rows.values, ...where.values],
    );
    keys = found.map(({ key }) => BigInt(String(key)));
    if (keys.length > most) break;
  }
  if (keys.length === 0) return { flows: [], isCut: false };
  const { text, values } = summed(keys, query, dialect);
  const found = await ask(text, values);
  return { flows: found.slice(0, most).flatMap((row) => read(row) ?? []), isCut: keys.length > most };
}

/** `series` of an engine (history-engine.ts). */
export async function series(
  ask: Ask,
  dialect: Dialect,
  query: HistoryQuery,
  stepSeconds: number,
): Promise<HistorySums[]> {
  const rows = dialect.rows(query);
  const where = rowsFor(query, dialect);
  const step = Math.trunc(stepSeconds);
  const found = await ask(
    `SELECT start - start % ${step} AS step_at, coalesce(sum(told) FILTER (WHERE verdict <> 2), 0)::DOUBLE AS allowed, coalesce(sum(told) FILTER (WHERE verdict = 2), 0)::DOUBLE AS denied, sum(bytes_in + bytes_out)::DOUBLE AS bytes FROM (${rows.text}) ${where.text} GROUP BY step_at ORDER BY step_at`,
    [...rows.values, ...where.values],
  );
  return found.map((row) => ({
    at: Number(row.step_at),
    allowed: Number(row.allowed),
    denied: Number(row.denied),
    bytes: Number(row.bytes),
  }));
}

/**
 * The sums of keys over a range, newest first. The keys are our own numbers and the only values within a query's text, because hundreds of parameters
 * are slower.
 */
function summed(keys: readonly bigint[], range: RecordedSpan, dialect: Dialect): Part {
  const rows = dialect.rows(range);
  const { columns, joins } = dialect.rest;
  const list = keys.join(', ');
  const among = dialect.keysAmong(list);
  return {
    text: `WITH summed AS (SELECT key, min(start) AS since, max(start + step) AS ended, ${sums} FROM (${rows.text}) WHERE key IN (${list}) GROUP BY key) SELECT s.*, k.verdict AS verdict, k.port AS port, k.reporter AS reporter, ${columns} FROM summed s JOIN ${among.text} k ON k.key = s.key ${joins} ORDER BY s.ended DESC, s.key`,
    values: [...rows.values, ...among.values],
  };
}

/** The condition on rows of a tier. Rows contain their verdict; everything else is found by their key. */
function rowsFor(query: HistoryQuery, dialect: Dialect): Part {
  const condition = conditionOf(query, dialect);
  if (condition === null) return { text: '', values: [] };
  if (query.terms.every(({ key }) => key === 'verdict'))
    return { text: `WHERE ${condition.text}`, values: condition.values };
  return {
    text: `WHERE key IN (SELECT key FROM ${dialect.keys.text} WHERE ${condition.text})`,
    values: [...dialect.keys.values, ...condition.values],
  };
}
