import { setFlagsFromString } from 'node:v8';

/**
 * Bounds how far the heap of this process grows before V8 clears up: by as much again as lives in it. Left alone V8 lets it grow to four times that where
 * much is allocated, and keeps the pages; a history that is told 20,000 flows a second so took 300 MB more. V8 reads the value with each collection, so
 * that it may be set while the process runs. Not a flag of every command: short ones would clear up more often, for nothing.
 */
export function boundHeap(): void {
  setFlagsFromString('--heap-growing-percent=100');
}
