import { tierSteps } from '../history-tiers.ts';

/** Bumped when a table changes: a file of another number is not read (`meta`). */
export const schemaVersion = 2;

/** Counts by time and key: one table a tier. `told`: how many flows of 15 s a row stands for. */
const countColumns =
  'start UINTEGER NOT NULL, key UBIGINT NOT NULL, verdict UTINYINT NOT NULL, told UINTEGER NOT NULL, bytes_in UBIGINT NOT NULL, bytes_out UBIGINT NOT NULL, packets_in UBIGINT NOT NULL, packets_out UBIGINT NOT NULL, started UBIGINT NOT NULL, completed UBIGINT NOT NULL, live UBIGINT NOT NULL';

/**
 * What makes a flow the one that it is, once. Names, labels and policies of a million flows are a few thousand: each stands once, in a table of its own, by
 * a hash of 64 bits, so that a question looks through thousands of texts and a million numbers. `tail`: the part of the flow's hash that is not in `key`.
 */
const keptTables = {
  keys: 'key UBIGINT NOT NULL, tail UINTEGER NOT NULL, verdict UTINYINT NOT NULL, from_id UBIGINT NOT NULL, to_id UBIGINT NOT NULL, service_id UBIGINT, policies_id UBIGINT NOT NULL, port USMALLINT NOT NULL, protocol VARCHAR NOT NULL, reporter VARCHAR NOT NULL, staged VARCHAR',
  /** `-`: no namespace, as the query has it. `told`: all of it, as JSON. */
  ends: 'id UBIGINT NOT NULL, namespace VARCHAR NOT NULL, name VARCHAR NOT NULL, shown VARCHAR NOT NULL, told VARCHAR NOT NULL',
  services: 'id UBIGINT NOT NULL, namespace VARCHAR NOT NULL, name VARCHAR NOT NULL, told VARCHAR NOT NULL',
  policies: 'id UBIGINT NOT NULL, names VARCHAR NOT NULL, told VARCHAR NOT NULL',
} as const;
export type KeptTable = keyof typeof keptTables;
/** Each row has an id of its own: that of its first column. */
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

/** Rows of all tiers that touch a range of seconds, each with how long it is; with its parameters, in order. */
export function everyRowIn({ since, until }: { since: number; until: number }): { text: string; values: number[] } {
  return {
    text: tierSteps
      .map((step) => `SELECT *, ${step} AS step FROM ${tierTable(step)} WHERE start > ? AND start < ?`)
      .join(' UNION ALL '),
    values: tierSteps.flatMap((step) => [Math.floor(since) - step, Math.ceil(until)]),
  };
}
