import type { State } from '#components/ui/state-mark.tsx';
import { type FindingInState, isVerified } from '#lib/console/wizard/index.ts';
import type { FindingKind } from './finding-filter.ts';

export type FindingWords = { state: State; word: string };

/** What findings are looked for by, in the filters; a row says more where it can. */
export const kindWords: Readonly<Record<FindingKind, FindingWords>> = {
  outage: { state: 'bad', word: 'Outage' },
  blocking: { state: 'bad', word: 'Blocking' },
  decide: { state: 'warn', word: 'Decide' },
  unknown: { state: 'unknown', word: 'Not verified' },
  note: { state: 'idle', word: 'Note' },
  accepted: { state: 'idle', word: 'Settled' },
  pass: { state: 'ok', word: 'Pass' },
  skipped: { state: 'idle', word: 'Skipped' },
};

/** Where a finding stands. A reason verifies nothing: what was unknown stays so, and an accepted risk is no green tick. */
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

/** How the title of what nobody knows ends. */
export const openGap = /: not (?:verified|tested)$/;

/** What a run verified is a statement, not a gap any more. */
export function findingTitle(found: FindingInState): string {
  const { title } = found.finding;
  return isVerified(found) ? title.replace(openGap, ': verified by a run') : title;
}

/** The last column: what it means that a finding stands where it does. `titles`: of all findings, by id. */
export function outcomeOf({ finding, state }: FindingInState, titles: ReadonlyMap<string, string>): string {
  const { ifIgnored, acknowledged, fixedBy, followsFrom, status, verifiedBy } = finding;
  if (state === 'unknown' && verifiedBy?.stale === null) return `Run ${verifiedBy.run}, ${verifiedBy.at.slice(0, 10)}`;
  if (fixedBy !== null) return 'Fixed by the plan';
  if (acknowledged !== null) return `“${acknowledged}”`;
  if (state === 'waiting' && followsFrom !== null)
    return `Does not apply while: ${titles.get(followsFrom) ?? followsFrom}`;
  return status === 'pass' || status === 'skipped' ? '' : ifIgnored;
}
