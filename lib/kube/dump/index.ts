export { openDump } from './dump.ts';
export type { DumpRecord, RecordedKind } from './dump-record.ts';
export { dumpHolds, getHeld, isLeftOut } from './held.ts';
export { InputError } from './input-error.ts';
export type { Dump } from './read-dump.ts';
export { type DumpWriter, type ListWriter, openDumpWriter } from './write-dump.ts';
