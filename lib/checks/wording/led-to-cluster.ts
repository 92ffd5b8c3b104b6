import { type FlagsByProgram, ledToCluster, sentenceLedToCluster } from '#lib/text/index.ts';
import type { Finding, Findings } from '../findings.ts';

/** What is done about a finding, with each of its commands led to the cluster that was looked at. Pure. */
export function remedyLedToCluster(remedy: Finding['remedy'], flags: FlagsByProgram): Finding['remedy'] {
  const { steps, details, command } = remedy;
  const led = (sentence: string) => sentenceLedToCluster(sentence, flags);
  return {
    ...remedy,
    steps: steps.map(led),
    ...(details === undefined ? {} : { details: details.map(led) }),
    ...(command === undefined ? {} : { command: ledToCluster(command, flags) }),
  };
}

/** All findings so. Pure. */
export function findingsLedToCluster(findings: Findings, flags: FlagsByProgram): Findings {
  const led = findings.findings.map((one) => ({ ...one, remedy: remedyLedToCluster(one.remedy, flags) }));
  return { ...findings, findings: led };
}
