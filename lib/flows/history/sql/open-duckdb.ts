import { setImmediate } from 'node:timers/promises';
import type { DuckDBDataChunk as DataChunk, DuckDBAppender, DuckDBConnection, DuckDBValue } from '@duckdb/node-api';
import { boundHeap } from '../bound-heap.ts';
import type { HistoryEngine, HistoryTier, RecordedFlow, RecordedSpan } from '../history-engine.ts';
import { tierSteps } from '../history-tiers.ts';
import type { Dialect, KeyPart } from './dialect.ts';
import { countRow, hashOf, keptRows, keyOf } from './flow-columns.ts';
import { KnownKeys } from './known-keys.ts';
import { listed, series } from './questions.ts';
import { createMeta, createTables, everyRowIn, idOf, type KeptTable, schemaVersion, tierTable } from './schema.ts';
import { TextIds } from './text-ids.ts';

/** The tables of texts, in which each text is stored once (schema.ts). */
const standsIn: Readonly<Record<KeyPart, KeptTable>> = {
  from: 'ends',
  to: 'ends',
  service: 'services',
  policies: 'policies',
};
const dialect: Dialect = {
  like: (column) => `${column} LIKE ? ESCAPE '\\'`,
  matches: (column) => `regexp_matches(${column}, ?)`,
  column: (_of, text) => text,
  among: (of, { text, values }) => ({
    text: `${of}_id IN (SELECT id FROM ${standsIn[of]} WHERE ${text})`,
    values,
  }),
  rows: everyRowIn,
  keys: { text: 'keys', values: [] },
  // `summed` already contains the list, and a hash join filters by it.
  keysAmong: () => ({ text: 'keys', values: [] }),
  rest: {
    columns: `k.tail AS tail, '{"protocol":' || to_json(k.protocol) || ',"from":' || f.told || ',"to":' || t.told || ',"service":' || coalesce(v.told, 'null') || ',"policies":' || p.told || '}' AS rest`,
    joins:
      'JOIN ends f ON f.id = k.from_id JOIN ends t ON t.id = k.to_id LEFT JOIN services v ON v.id = k.service_id JOIN policies p ON p.id = k.policies_id',
  },
};

const loadDuckDb = () => import('@duckdb/node-api');

/**
 * Opens a history in DuckDB, in one file, or in memory if `path` is null. Only one process can have the file open. The library (70 MB) is loaded only
 * here. DuckDB fetches nothing, reads no other file, and uses at most 128 MB of memory (256 MB without a file) and two threads.
 */
export async function openDuckDb(
  path: string | null,
  load = loadDuckDb,
  rowsMoved = mostMoved,
): Promise<HistoryEngine> {
  // A separate step, because its failure says nothing about the file.
  const { DuckDBInstance, DuckDBDataChunk } = await load().catch((error: unknown) => {
    throw new Error('this system has no DuckDB that it can load', { cause: error });
  });
  boundHeap();
  const instance = await DuckDBInstance.create(path ?? ':memory:', {
    threads: '2',
    // With a file it can drop pages and read them again; without one the flows are in this memory too.
    memory_limit: path === null ? '256MB' : '128MB',
    autoinstall_known_extensions: 'false',
    autoload_known_extensions: 'false',
    preserve_insertion_order: 'false',
    ...(path === null ? {} : { temp_directory: `${path}.tmp`, max_temp_directory_size: '1GB' }),
  });
  let writer: DuckDBConnection;
  try {
    writer = await instance.connect();
    await writer.run('SET enable_external_access = false');
    await writer.run('SET lock_configuration = true');
    await writer.run(createMeta);
    const [meta] = await rowsOf(writer, 'SELECT version FROM meta');
    const version = Number(meta?.version ?? schemaVersion);
    // Checked before any of our tables is created, so that the file can be set aside unchanged (open-or-set-aside.ts).
    if (version !== schemaVersion)
      throw new Error(`written by ${version < schemaVersion ? 'an older' : 'a newer'} release: version ${version}`);
    for (const statement of createTables) await writer.run(statement);
  } catch (error) {
    instance.closeSync();
    throw error;
  }

  /** Keys that are in the table. Others are looked up. */
  const known = new KnownKeys();
  const ids = new TextIds();
  let turn: Promise<unknown> = Promise.resolve();
  const oneAtATime = <T>(work: () => Promise<T>): Promise<T> => {
    const done = turn.then(work, work);
    turn = done.catch(() => undefined);
    return done;
  };
  const inTransaction = (work: () => Promise<void>) =>
    oneAtATime(async () => {
      await writer.run('BEGIN');
      try {
        await work();
        await writer.run('COMMIT');
      } catch (error) {
        known.clear();
        await writer.run('ROLLBACK').catch(() => undefined);
        throw error;
      }
    });

  /** One chunk per table, reused: DuckDB's memory of a dropped chunk is only freed by JavaScript's garbage collection. */
  const chunks = new Map<string, DataChunk>();
  const appendRows = async (table: string, schema: string | null, rows: readonly (readonly DuckDBValue[])[]) => {
    if (rows.length === 0) return;
    await setImmediate();
    const appender: DuckDBAppender = await writer.createAppender(table, null, schema);
    const chunk = chunks.get(table) ?? DuckDBDataChunk.create(typesOf(appender));
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
    const kept = new Map(tablesKept.map((table) => [table, [] as (readonly DuckDBValue[])[]]));
    for (const [index, { flow, again: isAgain }] of slice.entries()) {
      if (index % atOnceRows === 0) await setImmediate();
      const hash = hashOf(flow);
      const key = keyOf(hash);
      (isAgain ? again : fresh).push(countRow(flow, key));
      if (!known.add(key)) continue;
      for (const { table, id, row } of keptRows(flow, key, hash, ids))
        if (table === 'keys' || known.add(id)) kept.get(table)?.push(row());
    }
    const finest = tierTable(tierSteps[0]);
    await appendRows(finest, null, fresh);
    for (const [table, rows] of kept) await appendRows(`new_${table}`, 'temp', rows);
    if (again.length > 0) {
      await appendRows('new_flows', 'temp', again);
      if (again.some(([start]) => Number(start) < addedUpBefore)) await writer.run(removeAddedUp);
      await writer.run(
        `DELETE FROM ${finest} USING new_flows n WHERE ${finest}.key = n.key AND ${finest}.start = n.start`,
      );
      await writer.run(`INSERT INTO ${finest} SELECT * FROM new_flows`);
      await writer.run('DELETE FROM new_flows');
    }
    return tablesKept.filter((table) => kept.get(table)?.length);
  };
  const append = (batch: readonly RecordedFlow[], span: RecordedSpan | null) =>
    inTransaction(async () => {
      known.makeRoom();
      const fresh = new Set<KeptTable>();
      for (let from = 0; from < batch.length; from += chunkRows)
        for (const table of await appendSlice(batch.slice(from, from + chunkRows))) fresh.add(table);
      // Once per batch, because each statement scans the whole table.
      for (const table of fresh) {
        const id = idOf(table);
        await writer.run(
          `INSERT INTO ${table} SELECT * FROM new_${table} n WHERE NOT EXISTS (SELECT 1 FROM ${table} k WHERE k.${id} = n.${id})`,
        );
        await writer.run(`DELETE FROM new_${table}`);
      }
      if (span === null) return;
      await writer.run('DELETE FROM recorded WHERE since = ?', [span.since]);
      await writer.run('INSERT INTO recorded VALUES (?, ?)', [span.since, span.until]);
    });

  /** The time before which a flow may already be part of a coarser tier. */
  let addedUpBefore = await addedUpIn(writer);

  /** Each query has its own connection, so that none waits for another or for the writer. */
  const ask = async (text: string, values: readonly (string | number)[] = []) => {
    const reader = await instance.connect();
    try {
      return await rowsOf(reader, text, values);
    } finally {
      reader.closeSync();
    }
  };

  /** Removed time must not count as time without traffic. */
  const forgetRecorded = async (before: number) => {
    await writer.run('DELETE FROM recorded WHERE until <= ?', [before]);
    await writer.run('UPDATE recorded SET since = ? WHERE since < ?', [before, before]);
  };

  /**
   * Moves rows that are older than a tier keeps into the next tier, or removes them. It works in parts, because everything at once could take
   * unlimited memory and block the writer for long. Returns the number of rows.
   */
  const moveOlder = async ({ stepSeconds, keptSeconds }: HistoryTier, into: number | null, now: number) => {
    const whole = into ?? stepSeconds;
    const before = endOf({ keptSeconds }, whole, now);
    const table = tierTable(stepSeconds);
    let moved = 0;
    for (let until = 0; until < before; )
      await inTransaction(async () => {
        const [first] = await rowsOf(writer, `SELECT min(start) AS start FROM ${table} WHERE start < ?`, [before]);
        if (typeof first?.start !== 'number') {
          until = before;
          return;
        }
        const [cut] = await rowsOf(
          writer,
          `SELECT start FROM ${table} WHERE start < ? ORDER BY start LIMIT 1 OFFSET ${rowsMoved}`,
          [before],
        );
        const wholes = (at: number) => Math.floor(at / whole) * whole;
        until = Math.max(wholes(first.start) + whole, typeof cut?.start === 'number' ? wholes(cut.start) : before);
        if (into !== null)
          await writer.run(
            `INSERT INTO ${tierTable(into)} SELECT (start // ${whole}) * ${whole}, key, any_value(verdict), sum(told), sum(bytes_in), sum(bytes_out), sum(packets_in), sum(packets_out), sum(started), sum(completed), max(live) FROM ${table} WHERE start < ? GROUP BY 1, key`,
            [until],
          );
        if (into !== null) addedUpBefore = Math.max(addedUpBefore, until);
        moved += (await writer.run(`DELETE FROM ${table} WHERE start < ?`, [until])).rowsChanged;
      });
    return moved;
  };

  const removeUnusedKeys = async () => {
    const used = tierSteps.map((step) => `SELECT key FROM ${tierTable(step)}`).join(' UNION ALL ');
    await writer.run(`DELETE FROM keys WHERE key NOT IN (SELECT DISTINCT key FROM (${used}))`);
    for (const [table, columns] of usedBy)
      await writer.run(
        `DELETE FROM ${table} WHERE id NOT IN (${columns.map((id) => `SELECT ${id} FROM keys WHERE ${id} IS NOT NULL`).join(' UNION ')})`,
      );
    known.clear();
  };

  const usedBytes = async () => {
    // A database in memory has no blocks.
    const [size] = await ask(
      path === null
        ? 'SELECT sum(memory_usage_bytes)::DOUBLE AS used FROM duckdb_memory()'
        : 'SELECT used_blocks * block_size AS used FROM pragma_database_size()',
    );
    return Number(size?.used ?? 0);
  };

  return {
    append,
    list: (query, most) => listed(ask, dialect, query, most),
    series: (query, stepSeconds) => series(ask, dialect, query, stepSeconds),
    spans: async () => {
      const found = await ask('SELECT since, until FROM recorded ORDER BY since');
      return found.map(({ since, until }) => ({ since: Number(since), until: Number(until) }));
    },
    rollUp: async (now, tiers) => {
      let removed = 0;
      for (const [index, tier] of tiers.entries()) {
        const next = tiers[index + 1];
        const moved = await moveOlder(tier, next?.stepSeconds ?? null, now);
        if (!next) removed = moved;
      }
      const last = tiers.at(-1);
      if (last) await inTransaction(() => forgetRecorded(endOf(last, last.stepSeconds, now)));
      if (removed > 0) await inTransaction(removeUnusedKeys);
    },
    usedBytes,
    removeOldest: async () => {
      await inTransaction(async () => {
        const all = tierSteps.map((step) => `SELECT min(start) AS first, max(start) AS last FROM ${tierTable(step)}`);
        const [range] = await rowsOf(
          writer,
          `SELECT min(first) AS first, max(last) AS last FROM (${all.join(' UNION ALL ')})`,
        );
        if (typeof range?.first !== 'number' || typeof range.last !== 'number') return;
        const before = range.first + Math.max(600, Math.ceil((range.last - range.first) / 10));
        for (const step of tierSteps) await writer.run(`DELETE FROM ${tierTable(step)} WHERE start < ?`, [before]);
        await forgetRecorded(before);
        await removeUnusedKeys();
      });
      // Waits for readers. Without FORCE one reader makes it fail, and removed rows would still count as used.
      await oneAtATime(() => writer.run('FORCE CHECKPOINT'));
    },
    close: () =>
      oneAtATime(async () => {
        writer.closeSync();
        instance.closeSync();
      }),
  };
}

const tablesKept = ['keys', 'ends', 'services', 'policies'] as const satisfies readonly KeptTable[];
/** The columns of `keys` that refer to each table. */
const usedBy = [
  ['ends', ['from_id', 'to_id']],
  ['services', ['service_id']],
  ['policies', ['policies_id']],
] as const;

/** The most rows of a tier in one transaction. */
const mostMoved = 200_000;

/** The time before which a tier keeps nothing, in whole steps of the next tier. */
const endOf = ({ keptSeconds }: Pick<HistoryTier, 'keptSeconds'>, whole: number, now: number) =>
  Math.max(0, Math.floor((now - keptSeconds) / whole) * whole);

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

async function addedUpIn(connection: DuckDBConnection): Promise<number> {
  const ends = tierSteps.slice(1).map((step) => `SELECT max(start) + ${step} AS ended FROM ${tierTable(step)}`);
  const [row] = await rowsOf(connection, `SELECT max(ended)::DOUBLE AS ended FROM (${ends.join(' UNION ALL ')})`);
  return Number(row?.ended ?? 0);
}

/**
 * The rows that are made in one turn of the event loop, which takes some milliseconds. An answer to a query needs several turns, and each would wait
 * for a whole chunk.
 */
const atOnceRows = 256;

const typesOf = (appender: DuckDBAppender) =>
  Array.from({ length: appender.columnCount }, (_, column) => appender.columnType(column));

/** The most rows of a data chunk. */
const chunkRows = 2048;

async function rowsOf(connection: DuckDBConnection, text: string, values: readonly (string | number)[] = []) {
  const reader = await connection.runAndReadAll(text, [...values]);
  return reader.getRowObjects();
}
