import { setImmediate } from 'node:timers/promises';
import type { DuckDBDataChunk as DataChunk, DuckDBAppender, DuckDBValue } from '@duckdb/node-api';
import type { HistoryEngine, RecordedFlow } from '../../history-engine.ts';
import { tierSteps } from '../../history-tiers.ts';
import { countRow, hashOf, keptRows, keyOf } from '../flow-columns.ts';
import type { KnownKeys } from '../known-keys.ts';
import { idOf, type KeptTable, tierTable } from '../schema.ts';
import { TextIds } from '../text-ids.ts';
import type { Writer } from './writer.ts';

/**
 * Appends batches of flows. `Chunk`: the library's class, which is loaded only where a history is opened. `known`: keys that are in the table; others are
 * looked up. `addedUpBefore`: the time before which a flow may already be part of a coarser tier.
 */
export function flowAppender(
  writer: Writer,
  { Chunk, known, addedUpBefore }: { Chunk: typeof DataChunk; known: KnownKeys; addedUpBefore: () => number },
): HistoryEngine['append'] {
  const { connection } = writer;
  const ids = new TextIds();

  /** One chunk per table, reused: DuckDB's memory of a dropped chunk is only freed by JavaScript's garbage collection. */
  const chunks = new Map<string, DataChunk>();
  const appendRows = async (table: string, schema: string | null, rows: readonly (readonly DuckDBValue[])[]) => {
    if (rows.length === 0) return;
    await setImmediate();
    const appender: DuckDBAppender = await connection.createAppender(table, null, schema);
    const chunk = chunks.get(table) ?? Chunk.create(typesOf(appender));
    chunks.set(table, chunk);
    for (let from = 0; from < rows.length; from += chunkRows) {
      chunk.reset();
      chunk.setRows(rows.slice(from, from + chunkRows));
      appender.appendDataChunk(chunk);
    }
    appender.closeSync();
  };

  /** Writes at most one chunk of flows: the rows of a whole batch would be in memory twice, here and in the appenders. */
  const appendSlice = async (slice: readonly RecordedFlow[]) => {
    const fresh: DuckDBValue[][] = [];
    const again: DuckDBValue[][] = [];
    const rowsByTable = new Map(textTables.map((table) => [table, [] as (readonly DuckDBValue[])[]]));
    for (const [index, { flow, again: isAgain }] of slice.entries()) {
      if (index % atOnceRows === 0) await setImmediate();
      const hash = hashOf(flow);
      const key = keyOf(hash);
      (isAgain ? again : fresh).push(countRow(flow, key));
      if (!known.add(key)) continue;
      for (const { table, id, row } of keptRows(flow, key, hash, ids))
        if (table === 'keys' || known.add(id)) rowsByTable.get(table)?.push(row());
    }
    const finest = tierTable(tierSteps[0]);
    await appendRows(finest, null, fresh);
    for (const [table, rows] of rowsByTable) await appendRows(`new_${table}`, 'temp', rows);
    if (again.length > 0) {
      await appendRows('new_flows', 'temp', again);
      if (again.some(([start]) => Number(start) < addedUpBefore())) await connection.run(removeAddedUp);
      await connection.run(
        `DELETE FROM ${finest} USING new_flows n WHERE ${finest}.key = n.key AND ${finest}.start = n.start`,
      );
      await connection.run(`INSERT INTO ${finest} SELECT * FROM new_flows`);
      await connection.run('DELETE FROM new_flows');
    }
    return textTables.filter((table) => rowsByTable.get(table)?.length);
  };
  return (batch, span) =>
    writer.inTransaction(async () => {
      known.makeRoom();
      const fresh = new Set<KeptTable>();
      for (let from = 0; from < batch.length; from += chunkRows)
        for (const table of await appendSlice(batch.slice(from, from + chunkRows))) fresh.add(table);
      // Once per batch, because each statement scans the whole table.
      for (const table of fresh) {
        const id = idOf(table);
        await connection.run(
          `INSERT INTO ${table} SELECT * FROM new_${table} n WHERE NOT EXISTS (SELECT 1 FROM ${table} k WHERE k.${id} = n.${id})`,
        );
        await connection.run(`DELETE FROM new_${table}`);
      }
      if (span === null) return;
      await connection.run('DELETE FROM recorded WHERE since = ?', [span.since]);
      await connection.run('INSERT INTO recorded VALUES (?, ?)', [span.since, span.until]);
    });
}

const textTables = ['keys', 'ends', 'services', 'policies'] as const satisfies readonly KeptTable[];

/**
 * Deletes from the flows that arrive again those that a coarser tier already contains: their first counts are no longer known separately, so they
 * would count twice. A row that is still in the finest tier is replaced there.
 */
const removeAddedUp = `DELETE FROM new_flows WHERE (${tierSteps
  .slice(1)
  .map(
    (step) =>
      `EXISTS (SELECT 1 FROM ${tierTable(step)} c WHERE c.key = new_flows.key AND c.start = new_flows.start // ${step} * ${step})`,
  )
  .join(
    ' OR ',
  )}) AND NOT EXISTS (SELECT 1 FROM ${tierTable(tierSteps[0])} f WHERE f.key = new_flows.key AND f.start = new_flows.start)`;

/**
 * The rows that are made in one turn of the event loop, which takes some milliseconds. An answer to a query needs several turns, and each would wait
 * for a whole chunk.
 */
const atOnceRows = 256;

const typesOf = (appender: DuckDBAppender) =>
  Array.from({ length: appender.columnCount }, (_, column) => appender.columnType(column));

/** The most rows of a data chunk. */
const chunkRows = 2048;
