import { tierSteps } from '../../history-tiers.ts';
import { tierTable } from '../schema.ts';

const day = 86_400;
/** A row stays this long after it is told no more: what comes late is added up with what it belongs to, and no key goes before what refers to it. Seconds. */
export const graceSeconds = day;

/**
 * What is told again says the same or more: the greatest is right, in whichever order parts are merged, however often one comes, and whoever writes it.
 * `told`: how many flows of 15 s a row stands for. `expires`: seconds since the epoch, after which the server removes it; `graceSeconds` before that nobody tells it any more.
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

/** As DuckDB has them (../schema.ts): what can be asked for, and the rest of a flow as JSON. */
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

/** Whole parts are dropped: nothing is written anew to remove what is old. */
const forgetting = 'TTL toDateTime(expires) SETTINGS ttl_only_drop_parts = 1';
const table = (name: string, columns: readonly string[], rest: string) =>
  `CREATE TABLE IF NOT EXISTS ${name} (${columns.join(', ')}) ENGINE = ${rest}`;

/**
 * What brings a database from each version to the next: the first from nothing to 1. Two collectors may run them at once, and one may end halfway, so that
 * each statement does nothing where it was run before. What was released is never changed: a change is another entry.
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
    // Of a tier but the last: before when the next one tells. It only grows.
    table(
      'floors',
      ['cluster String', 'step UInt16', greatest('before', 'UInt32')],
      'AggregatingMergeTree ORDER BY (cluster, step)',
    ),
  ],
];

/** One row a version that was reached. */
export const versionTable = table('schema_version', ['version UInt32'], 'MergeTree ORDER BY version');
