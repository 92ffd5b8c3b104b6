import type { Counts, Finding, Verdict } from '../findings.ts';

/**
 * The verdict (cli.md › Verdict). *blocked*: a blocking failure without a chosen fix. *needs-answers*: a warning or unknown that was not accepted. A proposal
 * that is not accepted is such an unknown, or for the endpoint a blocking failure.
 */
export function verdictOf(findings: readonly Finding[]): Verdict {
  if (findings.some(isBlocking)) return 'blocked';
  return findings.some(needsAnswer) ? 'needs-answers' : 'ready';
}

/** Whether a finding blocks by itself, and not only because another one is open. */
export function isBlocking({ status, severity, fixedBy, followsFrom }: Finding): boolean {
  return status === 'fail' && severity === 'blocking' && fixedBy === null && followsFrom === null;
}

/** Whether the administrator must accept the finding or choose its fix before a start (cli.md › Verdict). */
export function needsAnswer({ status, severity, fixedBy, acknowledged, followsFrom }: Finding): boolean {
  if (acknowledged !== null || followsFrom !== null) return false;
  return status === 'unknown' || (status === 'fail' && severity === 'warning' && fixedBy === null);
}

/** Checks whose answer depends on the machine that asks. People cannot answer them; a test on the nodes can. */
const seenFromNodes: ReadonlySet<string> = new Set(['endpoint.reachable', 'endpoint.certificate']);

/** Whether a test on the nodes can answer the finding. */
export function isMeasurable({ id, status, notMeasured }: Finding): boolean {
  return status === 'unknown' && (notMeasured !== null || seenFromNodes.has(id));
}

/** Numbers of findings by status, and of failures by severity, accepted ones included. */
export function countsOf(findings: readonly Finding[]): Counts {
  const counts: Counts = { fail: { blocking: 0, warning: 0, info: 0 }, unknown: 0, pass: 0, skipped: 0 };
  for (const { status, severity } of findings) {
    if (status === 'fail') counts.fail[severity]++;
    else counts[status]++;
  }
  return counts;
}
