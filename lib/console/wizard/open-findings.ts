import type { Finding, Findings } from '#lib/checks/index.ts';

/** Where a finding stands with the reader. Worst first; what was answered is told apart from what is open. */
const findingStates = ['blocking', 'unknown', 'decide', 'waiting', 'note', 'answered', 'pass', 'skipped'] as const;
export type FindingState = (typeof findingStates)[number];

export type FindingInState = { finding: Finding; state: FindingState };

/** Every finding with its state: outages, then worst first; the catalogue's order within one. */
export function findingsInState(findings: Findings): FindingInState[] {
  const endpointIsOpen = findings.findings.some(({ id, status }) => id === 'endpoint.present' && status === 'fail');
  return findings.findings
    .map((finding) => ({ finding, state: findingStateOf(finding, endpointIsOpen) }))
    .sort((left, right) => rank(left) - rank(right));
}

/** An answer ends no outage. */
function rank({ finding, state }: FindingInState): number {
  return finding.outage ? -1 : findingStates.indexOf(state);
}

function findingStateOf(finding: Finding, endpointIsOpen: boolean): FindingState {
  const { status, severity, acknowledged, fixedBy, group } = finding;
  if (status === 'pass' || status === 'skipped') return status;
  if (acknowledged !== null || fixedBy !== null) return 'answered';
  // While no address is settled, the checks of it have nothing to judge: one question, not eight.
  if (status === 'unknown') return endpointIsOpen && group === 'API endpoint' ? 'waiting' : 'unknown';
  return severity === 'blocking' ? 'blocking' : severity === 'warning' ? 'decide' : 'note';
}

export type OpenCounts = { blocking: number; toDecide: number };

/** *unknown* and *warning* are both the reader's to decide; so is what only waits for the address. */
export function openCounts(found: readonly FindingInState[]): OpenCounts {
  const count = (...of: FindingState[]) => found.filter(({ state }) => of.includes(state)).length;
  return { blocking: count('blocking'), toDecide: count('unknown', 'decide') };
}
