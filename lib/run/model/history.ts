import { same } from '#lib/base/records.ts';
import type { Entry, Journal, StepKey } from './journal.ts';

/** What happened in a run, as its journal tells it. */

/** Whether the operation was begun on the way there. */
export function wasBegun({ entries }: Journal, seq: number): boolean {
  return entries.some((entry) => entry.what === 'begun' && entry.direction === 'forward' && entry.seq === seq);
}

export function wasNudged({ entries }: Journal, seq: number): boolean {
  return entries.some((entry) => entry.what === 'nudged' && entry.seq === seq);
}

/** Whether a step has paused the run with this code since it was begun last. */
export function wasPausedFor({ entries }: Journal, key: StepKey, code: string): boolean {
  const begun = entries.findLastIndex(
    (entry) => entry.what === 'begun' && entry.direction === key.direction && entry.seq === key.seq,
  );
  return entries.slice(begun + 1).some((entry) => entry.what === 'paused' && entry.code === code);
}

/** Whether the run has paused with this very sentence. */
export function wasPausedBecause({ entries }: Journal, because: string): boolean {
  return entries.some((entry) => entry.what === 'paused' && entry.because === because);
}

/** Who carried the run last, as the journal says by itself: the Lease knows better while it names somebody. */
export function lastHolder({ entries, startedBy }: Journal): string {
  const last = entries.findLast(({ what }) => what === 'begun' || what === 'resumed' || what === 'taken-over');
  return last && 'by' in last ? last.by : startedBy;
}

/** Requests of other processes that were answered, oldest first: `ACTION by WHO`, and `taken`, or why the run does not do it. */
export function answeredRequests({ entries }: Journal): { request: string; answer: string }[] {
  return entries.flatMap((entry) =>
    entry.what === 'request' ? [{ request: entry.request, answer: entry.answer }] : [],
  );
}

/** The past without any way back. */
export function withoutWayBack({ entries }: Journal): Entry[] {
  return entries.filter(
    (entry) => entry.what !== 'undo-asked' && !('direction' in entry && entry.direction === 'undo'),
  );
}

/** Whether a journal is an earlier one, or that one with more behind it. What was seen may be gone from it (`withRoom`): nothing is decided by that. */
export function continues({ entries }: Journal, earlier: Journal): boolean {
  return same(entries.slice(0, earlier.entries.length).map(withoutSeen), earlier.entries.map(withoutSeen));
}

function withoutSeen(entry: Entry): Entry {
  if (!('seen' in entry)) return entry;
  const { seen: _seen, ...rest } = entry;
  return rest;
}
