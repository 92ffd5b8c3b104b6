import type { DuckDBConnection } from '@duckdb/node-api';
import { boundHeap } from '../../bound-heap.ts';
import type { HistoryEngine } from '../../history-engine.ts';
import { tierSteps } from '../../history-tiers.ts';
import { KnownKeys } from '../known-keys.ts';
import { listed, series } from '../questions.ts';
import { createMeta, createTables, schemaVersion, tierTable } from '../schema.ts';
import { flowAppender } from './append-flows.ts';
import { dialect } from './duckdb-dialect.ts';
import { keepingSmall, mostMoved } from './keep-small.ts';
import { rowsOf, Writer } from './writer.ts';

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
  let connection: DuckDBConnection;
  try {
    connection = await instance.connect();
    await connection.run('SET enable_external_access = false');
    await connection.run('SET lock_configuration = true');
    await connection.run(createMeta);
    const [meta] = await rowsOf(connection, 'SELECT version FROM meta');
    const version = Number(meta?.version ?? schemaVersion);
    // Checked before any of our tables is created, so that the file can be set aside unchanged (open-or-set-aside.ts).
    if (version !== schemaVersion)
      throw new Error(`written by ${version < schemaVersion ? 'an older' : 'a newer'} release: version ${version}`);
    for (const statement of createTables) await connection.run(statement);
  } catch (error) {
    instance.closeSync();
    throw error;
  }

  const known = new KnownKeys();
  const writer = new Writer(connection, () => known.clear());
  let addedUpBefore = await addedUpIn(connection);

  /** Each query has its own connection, so that none waits for another or for the writer. */
  const ask = async (text: string, values: readonly (string | number)[] = []) => {
    const reader = await instance.connect();
    try {
      return await rowsOf(reader, text, values);
    } finally {
      reader.closeSync();
    }
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
    append: flowAppender(writer, { Chunk: DuckDBDataChunk, known, addedUpBefore: () => addedUpBefore }),
    list: (query, most) => listed(ask, dialect, query, most),
    series: (query, stepSeconds) => series(ask, dialect, query, stepSeconds),
    spans: async () => {
      const found = await ask('SELECT since, until FROM recorded ORDER BY since');
      return found.map(({ since, until }) => ({ since: Number(since), until: Number(until) }));
    },
    ...keepingSmall(writer, {
      known,
      rowsMoved,
      addedUp: (before) => {
        addedUpBefore = Math.max(addedUpBefore, before);
      },
    }),
    usedBytes,
    close: () =>
      writer.oneAtATime(async () => {
        connection.closeSync();
        instance.closeSync();
      }),
  };
}

/** The end of what a coarser tier already contains. */
async function addedUpIn(connection: DuckDBConnection): Promise<number> {
  const ends = tierSteps.slice(1).map((step) => `SELECT max(start) + ${step} AS ended FROM ${tierTable(step)}`);
  const [row] = await rowsOf(connection, `SELECT max(ended)::DOUBLE AS ended FROM (${ends.join(' UNION ALL ')})`);
  return Number(row?.ended ?? 0);
}
