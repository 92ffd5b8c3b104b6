import type { Counts, Finding, Verdict } from '../findings.ts';

/**
 * cli.md › Verdict. *blocked*: a blocking fail that no chosen fix fixes. *needs-answers*: a warning or an unknown that nobody has
 * acknowledged; a proposal that is not accepted is such an unknown, or, for the endpoint, a blocking fail.
 */
export function verdictOf(findings: readonly Finding[]): Verdict {
  if (findings.some(isBlocking)) return 'blocked';
  return findings.some(needsAnswer) ? 'needs-answers' : 'ready';
}

/** A problem of its own: what follows from another finding is told when that one is settled. */
export function isBlocking({ status, severity, fixedBy, followsFrom }: Finding): boolean {
  return status === 'fail' && severity === 'blocking' && fixedBy === null && followsFrom === null;
}

export function needsAnswer({ status, severity, fixedBy, acknowledged, followsFrom }: Finding): boolean {
  if (acknowledged !== null || followsFrom !== null) return false;
  return status === 'unknown' || (status === 'fail' && severity === 'warning' && fixedBy === null);
}

/** Where the asker stands decides whether these are seen: no question for people, but one that a node answers. */
const seenFromNodes: ReadonlySet<string> = new Set(['endpoint.reachable', 'endpoint.certificate']);

/** What only a look from the nodes tells. */
export function isMeasurable({ id, status, notMeasured }: Finding): boolean {
  return status === 'unknown' && (notMeasured !== null || seenFromNodes.has(id));
}

/** By status, and failures by severity: answered or not. */
export function countsOf(findings: readonly Finding[]): Counts {
  const counts: Counts = { fail: { blocking: 0, warning: 0, info: 0 }, unknown: 0, pass: 0, skipped: 0 };
  for (const { status, severity } of findings) {
    if (status === 'fail') counts.fail[severity]++;
    else counts[status]++;
  }
  return counts;
}
