import type { Finding, Verdict } from '../findings.ts';

/**
 * cli.md › Verdict. *blocked*: a blocking fail that no chosen fix fixes. *needs-answers*: a warning or an unknown that nobody has
 * acknowledged; a proposal that is not accepted is such an unknown, or, for the endpoint, a blocking fail.
 */
export function verdictOf(findings: readonly Finding[]): Verdict {
  if (findings.some(isBlocking)) return 'blocked';
  return findings.some(needsAnswer) ? 'needs-answers' : 'ready';
}

export function isBlocking({ status, severity, fixedBy }: Finding): boolean {
  return status === 'fail' && severity === 'blocking' && fixedBy === null;
}

export function needsAnswer({ status, severity, fixedBy, acknowledged }: Finding): boolean {
  if (acknowledged !== null) return false;
  return status === 'unknown' || (status === 'fail' && severity === 'warning' && fixedBy === null);
}
