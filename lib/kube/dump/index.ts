export { type Dump, openDump } from './dump.ts';
export { InputError } from './input-error.ts';
