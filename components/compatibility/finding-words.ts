import type { State } from '#components/ui/state-mark.tsx';
import { type FindingInState, isVerified } from '#lib/console/wizard/index.ts';
import type { FindingKind } from './table/finding-filter.ts';

export type FindingWords = { state: State; word: string };

/** Words for the filters; rows may have more specific ones. */
export const kindWords: Readonly<Record<FindingKind, FindingWords>> = {
  outage: { state: 'bad', word: 'Outage' },
  blocking: { state: 'bad', word: 'Blocking' },
  decide: { state: 'warn', word: 'Decide' },
  unknown: { state: 'unknown', word: 'Not verified' },
  note: { state: 'idle', word: 'Note' },
  accepted: { state: 'idle', word: 'Settled' },
  pass: { state: 'ok', word: 'Pass' },
  skipped: { state: 'idle', word: 'Does not apply' },
};

/** Words for a finding's state. Accepting verifies nothing: an unknown stays unknown, and an accepted risk is never green. */
export function findingWords({ finding, state }: FindingInState): FindingWords {
  const { fixedBy, status, outage, notMeasured } = finding;
  if (outage) return kindWords.outage;
  if (isVerified({ finding, state })) return { state: 'ok', word: 'Verified' };
  if (state === 'unknown' && notMeasured !== null) return { state: 'unknown', word: 'Not tested' };
  if (state === 'waiting') return { state: 'idle', word: 'Does not apply yet' };
  if (state === 'skipped') return { state: 'idle', word: 'Does not apply' };
  if (state !== 'answered') return kindWords[state];
  if (fixedBy !== null) return { state: 'ok', word: 'In the plan' };
  return status === 'unknown'
    ? { state: 'unknown', word: 'Accepted, not verified' }
    : { state: 'idle', word: 'Accepted' };
}

/** The end of titles of unknown findings. */
export const openGap = /: not (?:verified|tested)$/;

/** The title of a finding; if a run verified it, the statement instead of the gap. */
export function findingTitle(found: FindingInState): string {
  const { title } = found.finding;
  return isVerified(found) ? title.replace(openGap, ': verified by a run') : title;
}

/** The last column: the meaning of a finding's state. `titles`: of all findings, by id. */
export function outcomeOf({ finding, state }: FindingInState, titles: ReadonlyMap<string, string>): string {
  const { ifIgnored, acknowledged, fixedBy, followsFrom, status, verifiedBy } = finding;
  if (state === 'unknown' && verifiedBy?.stale === null) return `Run ${verifiedBy.run}, ${verifiedBy.at.slice(0, 10)}`;
  if (fixedBy !== null) return 'Fixed by the plan';
  if (acknowledged !== null) return `“${acknowledged}”`;
  if (state === 'waiting' && followsFrom !== null)
    return `Does not apply while: ${titles.get(followsFrom) ?? followsFrom}`;
  return status === 'pass' || status === 'skipped' ? '' : ifIgnored;
}
