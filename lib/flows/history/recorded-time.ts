import type { Flow } from '../flow.ts';
import type { RecordedSpan } from './history-engine.ts';

/**
 * The recorded span with one more flow. `goesOn`: nothing is missing between the two. Otherwise a new span begins, once a flow begins after the end
 * of the last.
 */
export function spanWith(
  span: RecordedSpan | null,
  { start, end }: Pick<Flow, 'start' | 'end'>,
  goesOn: boolean,
): RecordedSpan {
  // A bucket arrives over some time, and after a reconnect earlier ones again, so the span only grows.
  if (span !== null && goesOn) return { since: span.since, until: Math.max(span.until, end) };
  return span === null || start >= span.until ? { since: start, until: end } : span;
}
