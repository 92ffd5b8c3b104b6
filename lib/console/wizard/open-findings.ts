import { agreeing, counted } from '#lib/base/words.ts';
import type { Finding, Findings } from '#lib/checks/index.ts';
import { lackWords, withheldAmong } from '#lib/checks/wording/withheld-among.ts';
import type { Answers } from './answers.ts';

/** States of a finding for the user, worst first. */
const findingStates = ['blocking', 'unknown', 'decide', 'waiting', 'note', 'answered', 'pass', 'skipped'] as const;
export type FindingState = (typeof findingStates)[number];

export type FindingInState = { finding: Finding; state: FindingState };

/** All findings with their states: outages first, then worst first, in the catalogue's order within a state. */
export function findingsInState(findings: Findings): FindingInState[] {
  return findings.findings
    .map((finding) => ({ finding, state: findingStateOf(finding) }))
    .sort((left, right) => rank(left) - rank(right));
}

/** An outage stays first even if it was answered. */
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

/** The earlier reason that all of these findings share; undefined if they differ. */
export function sharedBefore(findings: readonly Finding[]): Finding['acceptedBefore'] {
  const [first, ...others] = findings.map(({ acceptedBefore }) => acceptedBefore);
  const isShared = others.every((one) => one?.reason === first?.reason && one?.run === first?.run);
  return isShared ? first : undefined;
}

/**
 * What the user can do about a finding's fix: `in` chooses it; `out` removes the choice; `leave-out` leaves it out with a reason, because with accepted proposals
 * it would be chosen again. Null: there is no fix, or the plan needs it.
 */
export type FixOffer = 'in' | 'out' | 'leave-out' | null;

export function fixOffer(
  { goal, acceptProposals }: Pick<Answers, 'goal' | 'acceptProposals'>,
  { status, severity, remedy, acknowledged, fixedBy }: Finding,
): FixOffer {
  if (status !== 'fail' || remedy.autofix === undefined || acknowledged !== null) return null;
  if (fixedBy === null) return 'in';
  // The goal itself is the fix.
  if (goal === 'restore') return null;
  if (!acceptProposals) return 'out';
  return severity === 'blocking' ? null : 'leave-out';
}

/** A run proved it on the nodes and the proof still holds, so there is nothing to do. */
export function isVerified({ finding, state }: FindingInState): boolean {
  return state === 'unknown' && finding.verifiedBy?.stale === null;
}

/** `withheld`: findings that only lack permissions or kinds of a dump. */
export type OpenCounts = { blocking: number; toDecide: number; withheld: readonly Finding[] };

/** Counts open findings. The user decides about *unknown* and *warning*, except those that follow from another finding or only lack permissions. */
export function openCounts(found: readonly FindingInState[]): OpenCounts {
  const count = (...of: FindingState[]) => found.filter(({ state }) => of.includes(state)).length;
  const withheld = withheldAmong(found.filter(({ state }) => state === 'unknown').map(({ finding }) => finding));
  return { blocking: count('blocking'), toDecide: count('unknown', 'decide') - withheld.length, withheld };
}

/** Why nothing can start yet: `2 findings still need a decision, 32 only lack permissions, which one set of Roles gives.` Null if nothing is open. */
export function undecidedWords({ toDecide, withheld }: OpenCounts): string | null {
  const parts = [
    toDecide === 0 ? '' : `${counted(toDecide, 'finding')} still ${agreeing(toDecide, 'needs', 'need')} a decision`,
    withheld.length === 0
      ? ''
      : `${toDecide === 0 ? counted(withheld.length, 'check') : withheld.length} ${lackWords(withheld)}`,
  ].filter((part) => part !== '');
  return parts.length === 0 ? null : `${parts.join('; ')}.`;
}
