import type { DuckDBAppender, DuckDBConnection, DuckDBValue } from '@duckdb/node-api';
import type { HistoryEngine, RecordedFlow, RecordedSpan } from '../history-engine.ts';
import { tierSteps } from '../history-tiers.ts';
import type { Dialect } from './dialect.ts';
import { countRow, hashOf, keyOf, keyRow } from './flow-columns.ts';
import { KnownKeys } from './known-keys.ts';
import { listed, series } from './questions.ts';
import { createTables, everyRowIn, schemaVersion, tierTable } from './schema.ts';

const dialect: Dialect = {
  like: (column) => `${column} LIKE ? ESCAPE '\\'`,
  matches: (column) => `regexp_matches(${column}, ?)`,
  once: 'MATERIALIZED',
  rows: everyRowIn,
  keys: { text: 'keys', values: [] },
};

const loadDuckDb = () => import('@duckdb/node-api');

/**
 * A history in DuckDB, in one file, or in memory where `path` is null. One process has the file; the library (70 MB) is loaded here and nowhere else.
 * Nothing is fetched, no other file is read, and it takes 256 MB of memory and two threads at most.
 */
export async function openDuckDb(path: string | null, load = loadDuckDb): Promise<HistoryEngine> {
  // A step of its own: what fails here says nothing of the file.
  const { DuckDBInstance, DuckDBDataChunk } = await load().catch((error: unknown) => {
    throw new Error('this system has no DuckDB that it can load', { cause: error });
  });
  const instance = await DuckDBInstance.create(path ?? ':memory:', {
    threads: '2',
    memory_limit: '256MB',
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
    for (const statement of createTables) await writer.run(statement);
    const version = await rowsOf(writer, 'SELECT version FROM meta');
    if (version[0]?.version !== schemaVersion)
      throw new Error(`written by a newer release: version ${String(version[0]?.version)}`);
  } catch (error) {
    instance.closeSync();
    throw error;
  }

  /** Keys that are in the table: what is not among them is looked for. */
  const known = new KnownKeys();
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

  const appendRows = async (table: string, schema: string | null, rows: readonly (readonly DuckDBValue[])[]) => {
    if (rows.length === 0) return;
    const appender: DuckDBAppender = await writer.createAppender(table, null, schema);
    const types = Array.from({ length: appender.columnCount }, (_, column) => appender.columnType(column));
    for (let from = 0; from < rows.length; from += chunkRows) {
      const chunk = DuckDBDataChunk.create(types);
      chunk.setRows(rows.slice(from, from + chunkRows));
      appender.appendDataChunk(chunk);
    }
    appender.closeSync();
  };

  /** As many as one chunk holds: what is made of a whole batch would be held at once, here and in the appenders. */
  const appendSlice = async (slice: readonly RecordedFlow[]) => {
    known.makeRoom();
    const fresh: DuckDBValue[][] = [];
    const again: DuckDBValue[][] = [];
    const keys: DuckDBValue[][] = [];
    for (const { flow, again: isAgain } of slice) {
      const hash = hashOf(flow);
      const key = keyOf(hash);
      (isAgain ? again : fresh).push(countRow(flow, key));
      if (known.add(key)) keys.push(keyRow(flow, key, hash));
    }
    const table = tierTable(tierSteps[0]);
    await appendRows(table, null, fresh);
    if (keys.length > 0) {
      await appendRows('new_keys', 'temp', keys);
      await writer.run(
        'INSERT INTO keys SELECT * FROM new_keys n WHERE NOT EXISTS (SELECT 1 FROM keys k WHERE k.key = n.key)',
      );
      await writer.run('DELETE FROM new_keys');
    }
    if (again.length > 0) {
      await appendRows('new_flows', 'temp', again);
      await writer.run(
        `DELETE FROM ${table} USING new_flows n WHERE ${table}.key = n.key AND ${table}.start = n.start`,
      );
      await writer.run(`INSERT INTO ${table} SELECT * FROM new_flows`);
      await writer.run('DELETE FROM new_flows');
    }
  };

  const append = (batch: readonly RecordedFlow[], span: RecordedSpan | null) =>
    inTransaction(async () => {
      for (let from = 0; from < batch.length; from += chunkRows) await appendSlice(batch.slice(from, from + chunkRows));
      if (span === null) return;
      await writer.run('DELETE FROM recorded WHERE since = ?', [span.since]);
      await writer.run('INSERT INTO recorded VALUES (?, ?)', [span.since, span.until]);
    });

  /** Each question on a connection of its own: none waits for another, nor for who writes. */
  const ask = async (text: string, values: readonly (string | number)[] = []) => {
    const reader = await instance.connect();
    try {
      return await rowsOf(reader, text, values);
    } finally {
      reader.closeSync();
    }
  };

  const removeUnusedKeys = async () => {
    const used = tierSteps.map((step) => `SELECT key FROM ${tierTable(step)}`).join(' UNION ALL ');
    await writer.run(`DELETE FROM keys WHERE key NOT IN (SELECT DISTINCT key FROM (${used}))`);
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
      await inTransaction(async () => {
        for (const [index, { stepSeconds, keptSeconds }] of tiers.entries()) {
          const next = tiers[index + 1];
          const whole = next?.stepSeconds ?? stepSeconds;
          const before = Math.max(0, Math.floor((now - keptSeconds) / whole) * whole);
          const table = tierTable(stepSeconds);
          if (next)
            await writer.run(
              `INSERT INTO ${tierTable(next.stepSeconds)} SELECT (start // ${whole}) * ${whole}, key, any_value(verdict), sum(told), sum(bytes_in), sum(bytes_out), sum(packets_in), sum(packets_out), sum(started), sum(completed), max(live) FROM ${table} WHERE start < ? GROUP BY 1, key`,
              [before],
            );
          const gone = await writer.run(`DELETE FROM ${table} WHERE start < ?`, [before]);
          if (!next) removed = gone.rowsChanged;
        }
        const last = tiers.at(-1);
        if (!last) return;
        const before = Math.max(0, Math.floor((now - last.keptSeconds) / last.stepSeconds) * last.stepSeconds);
        await writer.run('DELETE FROM recorded WHERE until <= ?', [before]);
        // What was removed is not said to be time in which nothing happened.
        await writer.run('UPDATE recorded SET since = ? WHERE since < ?', [before, before]);
      });
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
        await writer.run('DELETE FROM recorded WHERE until <= ?', [before]);
        await writer.run('UPDATE recorded SET since = ? WHERE since < ?', [before, before]);
        await removeUnusedKeys();
      });
      await oneAtATime(() => writer.run('CHECKPOINT'));
    },
    close: () =>
      oneAtATime(async () => {
        writer.closeSync();
        instance.closeSync();
      }),
  };
}

/** What a data chunk holds at most. */
const chunkRows = 2048;

async function rowsOf(connection: DuckDBConnection, text: string, values: readonly (string | number)[] = []) {
  const reader = await connection.runAndReadAll(text, [...values]);
  return reader.getRowObjects();
}
