export { differences } from './compare.ts';
export { distil, type RecordedEvent } from './distil.ts';
export { installEnableRollback } from './install-enable-rollback.ts';
