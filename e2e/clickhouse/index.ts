export { chdbFolder } from './ensure-chdb.ts';
export { type RunningClickHouse, startClickHouse } from './start-clickhouse.ts';
