export { chdbFolder, ensureChdb } from './ensure-chdb.ts';
export { type RunningClickHouse, startClickHouse } from './start-clickhouse.ts';
