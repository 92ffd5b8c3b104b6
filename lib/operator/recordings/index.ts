export { differences, type Exception } from './compare.ts';
export { distil, type RecordedEvent } from './distil.ts';
export { installEnableRollback } from './install-enable-rollback.ts';
export type { Recording, Row, Step } from './row.ts';
