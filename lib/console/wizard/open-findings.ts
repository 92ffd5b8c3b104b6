import type { Finding, Findings } from '#lib/checks/index.ts';

/** Where a finding stands with the reader. Worst first; what was answered is told apart from what is open. */
const standings = ['blocking', 'unknown', 'decide', 'waiting', 'note', 'answered', 'pass', 'skipped'] as const;
export type Standing = (typeof standings)[number];

export type StandingFinding = { finding: Finding; standing: Standing };

/** Every finding with its standing, worst first; the catalogue's order within one. */
export function standingFindings(findings: Findings): StandingFinding[] {
  const endpointIsOpen = findings.findings.some(({ id, status }) => id === 'endpoint.present' && status === 'fail');
  return findings.findings
    .map((finding) => ({ finding, standing: standingOf(finding, endpointIsOpen) }))
    .sort((left, right) => standings.indexOf(left.standing) - standings.indexOf(right.standing));
}

function standingOf(finding: Finding, endpointIsOpen: boolean): Standing {
  const { status, severity, acknowledged, fixedBy, group } = finding;
  if (status === 'pass' || status === 'skipped') return status;
  if (acknowledged !== null || fixedBy !== null) return 'answered';
  // While no address is settled, the checks of it have nothing to judge: one question, not eight.
  if (status === 'unknown') return endpointIsOpen && group === 'API endpoint' ? 'waiting' : 'unknown';
  return severity === 'blocking' ? 'blocking' : severity === 'warning' ? 'decide' : 'note';
}

export type OpenCounts = { blocking: number; toDecide: number };

/** *unknown* and *warning* are both the reader's to decide; so is what only waits for the address. */
export function openCounts(found: readonly StandingFinding[]): OpenCounts {
  const count = (...of: Standing[]) => found.filter(({ standing }) => of.includes(standing)).length;
  return { blocking: count('blocking'), toDecide: count('unknown', 'decide') };
}
