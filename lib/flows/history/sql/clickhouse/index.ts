export type { ClickHouseAccess } from './connect.ts';
export { openDatabase } from './migrate.ts';
export { openClickHouse, type SharedEngine } from './open-clickhouse.ts';
