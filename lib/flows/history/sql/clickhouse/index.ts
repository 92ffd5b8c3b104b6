export { type ClickHouseAccess, ClickHouseFault } from './connect.ts';
export { openDatabase, readDatabase } from './migrate.ts';
export { openClickHouse, type SharedEngine } from './open-clickhouse.ts';
