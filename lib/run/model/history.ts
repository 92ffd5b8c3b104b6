import { same } from '#lib/base/records.ts';
import type { Entry, Journal, StepKey } from './journal.ts';

/** What happened in a run, by its journal. */

/** Whether the operation was begun on the way forward. */
export function wasBegun({ entries }: Journal, seq: number): boolean {
  return entries.some((entry) => entry.what === 'begun' && entry.direction === 'forward' && entry.seq === seq);
}

/** Whether the run has carried out the nudge of this operation. */
export function wasNudged({ entries }: Journal, seq: number): boolean {
  return entries.some((entry) => entry.what === 'nudged' && entry.seq === seq);
}

/** Whether a step has paused the run with this code since it last began. */
export function wasPausedFor({ entries }: Journal, key: StepKey, code: string): boolean {
  const begun = entries.findLastIndex(
    (entry) => entry.what === 'begun' && entry.direction === key.direction && entry.seq === key.seq,
  );
  return entries.slice(begun + 1).some((entry) => entry.what === 'paused' && entry.code === code);
}

/** Whether the run has paused with exactly this sentence. */
export function wasPausedBecause({ entries }: Journal, because: string): boolean {
  return entries.some((entry) => entry.what === 'paused' && entry.because === because);
}

/** The process that carried the run last, by the journal. While the Lease has a holder, the Lease counts. */
export function lastHolder({ entries, startedBy }: Journal): string {
  const last = entries.findLast(({ what }) => what === 'begun' || what === 'resumed' || what === 'taken-over');
  return last && 'by' in last ? last.by : startedBy;
}

/** Requests of other processes with their answers, oldest first: `ACTION by WHO`, and `taken` or why the run does not do it. */
export function answeredRequests({ entries }: Journal): { request: string; answer: string }[] {
  return entries.flatMap((entry) =>
    entry.what === 'request' ? [{ request: entry.request, answer: entry.answer }] : [],
  );
}

/** The entries of the way forward: neither the request for the undo nor its steps. */
export function withoutWayBack({ entries }: Journal): Entry[] {
  return entries.filter(
    (entry) => entry.what !== 'undo-asked' && !('direction' in entry && entry.direction === 'undo'),
  );
}

/** Whether a journal is an earlier one or continues it. Observations may have been dropped from it (`withRoom`): nothing is decided by them. */
export function continuesJournal({ entries }: Journal, earlier: Journal): boolean {
  return same(entries.slice(0, earlier.entries.length).map(withoutSeen), earlier.entries.map(withoutSeen));
}

function withoutSeen(entry: Entry): Entry {
  if (!('seen' in entry)) return entry;
  const { seen: _seen, ...rest } = entry;
  return rest;
}
