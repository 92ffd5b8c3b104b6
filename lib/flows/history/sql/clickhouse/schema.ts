import { tierSteps } from '../../history-tiers.ts';
import { tierTable } from '../schema.ts';

const day = 86_400;
/**
 * Rows stay this many seconds after they expire, so that late flows are summed up with the rows to which they belong, and no key is removed before
 * the rows that refer to it.
 */
export const graceSeconds = day;

/**
 * A flow that arrives again has equal or higher counts, so the greatest value is right, in whichever order parts are merged, however often it
 * arrives, and whichever collector writes it. `told`: the number of flows of 15 s that are added up in the row. `expires`: seconds since the epoch at which the server removes the
 * row; it stops counting `graceSeconds` earlier.
 */
const greatest = (column: string, type: string) => `${column} SimpleAggregateFunction(max, ${type})`;
const counts = ['bytes_in', 'bytes_out', 'packets_in', 'packets_out', 'started', 'completed', 'live'];
const countColumns = [
  'cluster String',
  'start UInt32 CODEC(Delta, ZSTD)',
  'key UInt64',
  greatest('verdict', 'UInt8'),
  greatest('told', 'UInt32'),
  ...counts.map((column) => greatest(column, 'UInt64')),
  greatest('expires', 'UInt32'),
];

/** The fields that a query can ask for, and the rest of a flow as JSON. */
const keyColumns = [
  'cluster String',
  'key UInt64',
  'verdict UInt8',
  ...['from', 'to'].flatMap((end) => [`${end}_namespace String`, `${end}_name String`, `${end}_shown String`]),
  'service_namespace Nullable(String)',
  'service_name Nullable(String)',
  'port UInt16',
  'protocol LowCardinality(String)',
  'reporter LowCardinality(String)',
  'staged LowCardinality(Nullable(String))',
  'policies String CODEC(ZSTD)',
  'rest String CODEC(ZSTD)',
  'expires UInt32',
];

/** Only whole parts are dropped, because removing single rows rewrites a part. */
const forgetting = 'TTL toDateTime(expires) SETTINGS ttl_only_drop_parts = 1';
const table = (name: string, columns: readonly string[], rest: string) =>
  `CREATE TABLE IF NOT EXISTS ${name} (${columns.join(', ')}) ENGINE = ${rest}`;

/**
 * The statements that bring a database from each version to the next, the first from nothing to 1. Two collectors may run them at the same time, and
 * one may end halfway, so each statement must have no effect when it is repeated. A released entry is never changed: add another.
 */
export const migrations: readonly (readonly string[])[] = [
  [
    ...tierSteps.map((step) =>
      table(
        tierTable(step),
        countColumns,
        `AggregatingMergeTree PARTITION BY ${step < 600 ? 'toDate' : 'toMonday'}(toDateTime(start, 'UTC')) ORDER BY (cluster, start, key) ${forgetting}`,
      ),
    ),
    table('keys', keyColumns, `ReplacingMergeTree(expires) ORDER BY (cluster, key) ${forgetting}`),
    table(
      'recorded',
      ['cluster String', 'since UInt32', 'until UInt32', 'expires UInt32'],
      `ReplacingMergeTree(until) ORDER BY (cluster, since) ${forgetting}`,
    ),
    // For each tier but the last: the time before which the next tier counts. It only grows.
    table(
      'floors',
      ['cluster String', 'step UInt16', greatest('before', 'UInt32')],
      'AggregatingMergeTree ORDER BY (cluster, step)',
    ),
  ],
];

/** One row per version that was reached. */
export const versionTable = table('schema_version', ['version UInt32'], 'MergeTree ORDER BY version');
