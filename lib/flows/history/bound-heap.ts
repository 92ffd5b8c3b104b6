import { setFlagsFromString } from 'node:v8';

/**
 * Limits how far this process' heap grows before V8 collects garbage, to twice the live data. By default V8 lets it grow to four times under heavy
 * allocation and keeps the pages; a history that receives 20,000 flows a second took 300 MB more that way. V8 reads the value at each collection, so
 * it may be set at runtime. It is not a flag of every command, because short ones would collect more often for nothing.
 */
export function boundHeap(): void {
  setFlagsFromString('--heap-growing-percent=100');
}
