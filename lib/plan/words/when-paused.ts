import { journeysTo } from '../journeys.ts';

const texts = new Map(
  [...journeysTo('install'), ...journeysTo('enable')].flatMap(({ operations }) =>
    operations.map(({ id, whenPaused: text }) => [id, text]),
  ),
);

/**
 * What it means for the cluster that a run stands still at this operation: a pause is a safe place, and says why (operations.md › Waits).
 * By id: a journal of an earlier version has no such sentence, and is told with today's.
 */
export function whenPaused(operation: string, direction: 'forward' | 'undo'): string {
  if (direction === 'undo')
    return 'The way back is under way: the service proxy is asked back before eBPF is left, so services are handled by one of the two at any moment.';
  return texts.get(operation) ?? 'This version does not know this step; it may be half-done.';
}
