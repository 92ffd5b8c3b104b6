import type { Asked, HistorySums, ListedFlows, RecordedSpan } from '../history-engine.ts';
import { conditionOf } from './condition.ts';
import type { Dialect, Part } from './dialect.ts';
import { flowOf } from './flow-columns.ts';

/** Asks an engine; rows come with their columns by name. */
export type Ask = (
  text: string,
  values: readonly (string | number)[],
) => Promise<{ readonly [column: string]: unknown }[]>;

const sums =
  'sum(told)::DOUBLE AS told, sum(bytes_in)::DOUBLE AS bytes_in, sum(bytes_out)::DOUBLE AS bytes_out, sum(packets_in)::DOUBLE AS packets_in, sum(packets_out)::DOUBLE AS packets_out, sum(started)::DOUBLE AS started, sum(completed)::DOUBLE AS completed, max(live)::DOUBLE AS live';
/** Of a range, from its end: most of what is newest is told in few steps. */
const lookedAt = [0.02, 0.2, 1];

/** `list` of an engine (history-engine.ts). */
export async function listed(ask: Ask, dialect: Dialect, query: Asked, most: number): Promise<ListedFlows> {
  const where = whereKey(query, dialect);
  for (const part of lookedAt) {
    const newest = Math.floor(query.until - (query.until - query.since) * part);
    const looked = { since: Math.max(query.since, newest), until: query.until };
    const { text, values } = newestSql(looked, query, where, dialect, most + 1);
    const found = await ask(text, values);
    if (found.length > most || part === 1)
      return { flows: found.slice(0, most).map(flowOf), isCut: found.length > most };
  }
  return { flows: [], isCut: false };
}

/** `series` of an engine. */
export async function series(ask: Ask, dialect: Dialect, query: Asked, stepSeconds: number): Promise<HistorySums[]> {
  const rows = dialect.rows(query);
  const where = whereKey(query, dialect);
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

/** The newest keys of the looked-at part of a range, with their sums over all of it. */
function newestSql(looked: RecordedSpan, range: RecordedSpan, where: Part, dialect: Dialect, most: number): Part {
  const newest = dialect.rows(looked);
  const all = dialect.rows(range);
  return {
    text: `WITH newest AS ${dialect.once} (SELECT key, max(start + step) AS ended FROM (${newest.text}) ${where.text} GROUP BY key ORDER BY ended DESC, key LIMIT ${most}), summed AS (SELECT key, min(start) AS since, max(start + step) AS ended, ${sums} FROM (${all.text}) WHERE key IN (SELECT key FROM newest) GROUP BY key) SELECT s.*, k.verdict AS verdict, k.port AS port, k.reporter AS reporter, k.rest AS rest FROM summed s JOIN ${dialect.keys.text} k ON k.key = s.key ORDER BY s.ended DESC, s.key`,
    values: [...newest.values, ...where.values, ...all.values, ...dialect.keys.values],
  };
}

function whereKey(query: Asked, dialect: Dialect): Part {
  const condition = conditionOf(query, dialect);
  if (condition === null) return { text: '', values: [] };
  return {
    text: `WHERE key IN (SELECT key FROM ${dialect.keys.text} WHERE ${condition.text})`,
    values: [...dialect.keys.values, ...condition.values],
  };
}
