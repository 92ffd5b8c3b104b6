import type { Finding, Findings } from '#lib/checks/index.ts';

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

export type OpenCounts = { blocking: number; toDecide: number };

/** *unknown* and *warning* are both the reader's to decide; what follows from another finding is not, yet. */
export function openCounts(found: readonly FindingInState[]): OpenCounts {
  const count = (...of: FindingState[]) => found.filter(({ state }) => of.includes(state)).length;
  return { blocking: count('blocking'), toDecide: count('unknown', 'decide') };
}
