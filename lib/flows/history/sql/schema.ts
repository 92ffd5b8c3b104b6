import { tierSteps } from '../history-tiers.ts';

/** Increase it when a table changes: a file with another version is not read (`meta`). */
export const schemaVersion = 2;

/** Counts by time and key, one table per tier. `told`: the number of flows of 15 s that are added up in the row. */
const countColumns =
  'start UINTEGER NOT NULL, key UBIGINT NOT NULL, verdict UTINYINT NOT NULL, told UINTEGER NOT NULL, bytes_in UBIGINT NOT NULL, bytes_out UBIGINT NOT NULL, packets_in UBIGINT NOT NULL, packets_out UBIGINT NOT NULL, started UBIGINT NOT NULL, completed UBIGINT NOT NULL, live UBIGINT NOT NULL';

/**
 * Everything about a flow except time and counts. A million flows have only a few thousand different names, labels and policies. Each is stored once,
 * in a table of its own, under a 64-bit hash, so that a query scans thousands of texts and a million numbers. `tail`: the part of the flow's hash
 * that is not in `key`.
 */
const keptTables = {
  keys: 'key UBIGINT NOT NULL, tail UINTEGER NOT NULL, verdict UTINYINT NOT NULL, from_id UBIGINT NOT NULL, to_id UBIGINT NOT NULL, service_id UBIGINT, policies_id UBIGINT NOT NULL, port USMALLINT NOT NULL, protocol VARCHAR NOT NULL, reporter VARCHAR NOT NULL, staged VARCHAR',
  /** Namespace `-` means none, as in queries. `told`: the whole end as JSON. */
  ends: 'id UBIGINT NOT NULL, namespace VARCHAR NOT NULL, name VARCHAR NOT NULL, shown VARCHAR NOT NULL, told VARCHAR NOT NULL',
  services: 'id UBIGINT NOT NULL, namespace VARCHAR NOT NULL, name VARCHAR NOT NULL, told VARCHAR NOT NULL',
  policies: 'id UBIGINT NOT NULL, names VARCHAR NOT NULL, told VARCHAR NOT NULL',
} as const;
export type KeptTable = keyof typeof keptTables;
/** The id of a row is its first column. */
export const idOf = (table: KeptTable) => (table === 'keys' ? 'key' : 'id');

export const tierTable = (stepSeconds: number) => `flows_${stepSeconds}s`;

export const createMeta = 'CREATE TABLE IF NOT EXISTS meta (version UINTEGER NOT NULL)';
export const createTables = [
  `INSERT INTO meta SELECT ${schemaVersion} WHERE NOT EXISTS (SELECT 1 FROM meta)`,
  ...Object.entries(keptTables).flatMap(([name, columns]) => [
    `CREATE TABLE IF NOT EXISTS ${name} (${columns})`,
    `CREATE TEMP TABLE new_${name} (${columns})`,
  ]),
  `CREATE TEMP TABLE new_flows (${countColumns})`,
  'CREATE TABLE IF NOT EXISTS recorded (since UINTEGER NOT NULL, until UINTEGER NOT NULL)',
  ...tierSteps.map((step) => `CREATE TABLE IF NOT EXISTS ${tierTable(step)} (${countColumns})`),
];

/** Rows of all tiers that overlap a range of seconds, each with its length as `step`; with the parameters in order. */
export function everyRowIn({ since, until }: { since: number; until: number }): { text: string; values: number[] } {
  return {
    text: tierSteps
      .map((step) => `SELECT *, ${step} AS step FROM ${tierTable(step)} WHERE start > ? AND start < ?`)
      .join(' UNION ALL '),
    values: tierSteps.flatMap((step) => [Math.floor(since) - step, Math.ceil(until)]),
  };
}
