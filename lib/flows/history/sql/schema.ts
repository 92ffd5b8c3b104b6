import { tierSteps } from '../history-tiers.ts';

/** Bumped when a table changes: a file of another number is not read (`meta`). */
export const schemaVersion = 1;

/** Counts by time and key: one table a tier. `told`: how many flows of 15 s a row stands for. */
const countColumns =
  'start UINTEGER NOT NULL, key UBIGINT NOT NULL, verdict UTINYINT NOT NULL, told UINTEGER NOT NULL, bytes_in UBIGINT NOT NULL, bytes_out UBIGINT NOT NULL, packets_in UBIGINT NOT NULL, packets_out UBIGINT NOT NULL, started UBIGINT NOT NULL, completed UBIGINT NOT NULL, live UBIGINT NOT NULL';

/** What makes a flow the one that it is, once: what can be asked for, and the rest of it as JSON. `-`: no namespace, as the query has it. */
const keyColumns =
  'key UBIGINT NOT NULL, verdict UTINYINT NOT NULL, from_namespace VARCHAR NOT NULL, from_name VARCHAR NOT NULL, from_shown VARCHAR NOT NULL, to_namespace VARCHAR NOT NULL, to_name VARCHAR NOT NULL, to_shown VARCHAR NOT NULL, service_namespace VARCHAR, service_name VARCHAR, port USMALLINT NOT NULL, protocol VARCHAR NOT NULL, reporter VARCHAR NOT NULL, staged VARCHAR, policies VARCHAR NOT NULL, rest VARCHAR NOT NULL';

export const tierTable = (stepSeconds: number) => `flows_${stepSeconds}s`;

export const createTables = [
  'CREATE TABLE IF NOT EXISTS meta (version UINTEGER NOT NULL)',
  `INSERT INTO meta SELECT ${schemaVersion} WHERE NOT EXISTS (SELECT 1 FROM meta)`,
  `CREATE TABLE IF NOT EXISTS keys (${keyColumns})`,
  `CREATE TEMP TABLE new_keys (${keyColumns})`,
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
