import { agreeing, counted } from '#lib/base/words.ts';
import type { Finding, Findings } from '#lib/checks/index.ts';
import { lackWords, withheldAmong } from '#lib/checks/wording/withheld-among.ts';
import type { Answers } from './answers.ts';

/** Where a finding stands with the reader. Worst first; what was answered is told apart from what is open. */
const findingStates = ['blocking', 'unknown', 'decide', 'waiting', 'note', 'answered', 'pass', 'skipped'] as const;
export type FindingState = (typeof findingStates)[number];

export type FindingInState = { finding: Finding; state: FindingState };

/** Every finding with its state: outages, then worst first; the catalogue's order within one. */
export function findingsInState(findings: Findings): FindingInState[] {
  return findings.findings
    .map((finding) => ({ finding, state: findingStateOf(finding) }))
    .sort((left, right) => rank(left) - rank(right));
}

/** An answer ends no outage. */
function rank({ finding, state }: FindingInState): number {
  return finding.outage ? -1 : findingStates.indexOf(state);
}

function findingStateOf(finding: Finding): FindingState {
  const { status, severity, acknowledged, fixedBy, followsFrom } = finding;
  if (followsFrom !== null) return 'waiting';
  if (status === 'pass' || status === 'skipped') return status;
  if (acknowledged !== null || fixedBy !== null) return 'answered';
  if (status === 'unknown') return 'unknown';
  return severity === 'blocking' ? 'blocking' : severity === 'warning' ? 'decide' : 'note';
}

/** The earlier reason that holds of all of them: what was said of some is not offered for the others. */
export function sharedBefore(findings: readonly Finding[]): Finding['acceptedBefore'] {
  const [first, ...others] = findings.map(({ acceptedBefore }) => acceptedBefore);
  const isShared = others.every((one) => one?.reason === first?.reason && one?.run === first?.run);
  return isShared ? first : undefined;
}

/**
 * What can be said of a finding's fix. `out` takes back that it was chosen. Where every proposal is accepted that would choose it again: it is left
 * out with a reason. Null: there is none, or the plan cannot do without it.
 */
export type FixOffer = 'in' | 'out' | 'leave-out' | null;

export function fixOffer(
  { goal, acceptProposals }: Pick<Answers, 'goal' | 'acceptProposals'>,
  { status, severity, remedy, acknowledged, fixedBy }: Finding,
): FixOffer {
  if (status !== 'fail' || remedy.autofix === undefined || acknowledged !== null) return null;
  if (fixedBy === null) return 'in';
  // That goal is the fix.
  if (goal === 'restore') return null;
  if (!acceptProposals) return 'out';
  return severity === 'blocking' ? null : 'leave-out';
}

/** A run proved it on the nodes, and nothing says that it is otherwise now: whoever only looks has nothing to do about it. */
export function isVerified({ finding, state }: FindingInState): boolean {
  return state === 'unknown' && finding.verifiedBy?.stale === null;
}

/** `withheld`: what waits for rights or for kinds of a dump alone. */
export type OpenCounts = { blocking: number; toDecide: number; withheld: readonly Finding[] };

/** *unknown* and *warning* are both the reader's to decide; what follows from another finding is not, yet, and what lacks rights is one matter of its own. */
export function openCounts(found: readonly FindingInState[]): OpenCounts {
  const count = (...of: FindingState[]) => found.filter(({ state }) => of.includes(state)).length;
  const withheld = withheldAmong(found.filter(({ state }) => state === 'unknown').map(({ finding }) => finding));
  return { blocking: count('blocking'), toDecide: count('unknown', 'decide') - withheld.length, withheld };
}

/** Why nothing can start yet: `2 findings still need a decision, 32 only lack permissions, which one set of Roles gives.` Null where nothing is open. */
export function undecidedWords({ toDecide, withheld }: OpenCounts): string | null {
  const parts = [
    toDecide === 0 ? '' : `${counted(toDecide, 'finding')} still ${agreeing(toDecide, 'needs', 'need')} a decision`,
    withheld.length === 0
      ? ''
      : `${toDecide === 0 ? counted(withheld.length, 'check') : withheld.length} ${lackWords(withheld)}`,
  ].filter((part) => part !== '');
  return parts.length === 0 ? null : `${parts.join('; ')}.`;
}
