import type { Flow } from '../flow.ts';
import type { RecordedSpan } from './history-engine.ts';

/** The time that is recorded with one flow more. `goesOn`: nothing is missing between the two; else a time of its own begins, once a flow is after the last. */
export function spanWith(
  span: RecordedSpan | null,
  { start, end }: Pick<Flow, 'start' | 'end'>,
  goesOn: boolean,
): RecordedSpan {
  // One bucket is told over some time, and at a seam those before it: the time that is recorded only grows.
  if (span !== null && goesOn) return { since: span.since, until: Math.max(span.until, end) };
  return span === null || start >= span.until ? { since: start, until: end } : span;
}
