import { type FlagsByProgram, sentenceWithClusterFlags, withClusterFlags } from '#lib/text/index.ts';
import type { Finding, Findings } from '../findings.ts';

/** A remedy whose commands name the cluster that was checked. Pure. */
export function remedyWithClusterFlags(remedy: Finding['remedy'], flags: FlagsByProgram): Finding['remedy'] {
  const { steps, details, command } = remedy;
  const named = (sentence: string) => sentenceWithClusterFlags(sentence, flags);
  return {
    ...remedy,
    steps: steps.map(named),
    ...(details === undefined ? {} : { details: details.map(named) }),
    ...(command === undefined ? {} : { command: withClusterFlags(command, flags) }),
  };
}

/** Findings whose remedies name the cluster that was checked. Pure. */
export function findingsWithClusterFlags(findings: Findings, flags: FlagsByProgram): Findings {
  return {
    ...findings,
    findings: findings.findings.map((one) => ({ ...one, remedy: remedyWithClusterFlags(one.remedy, flags) })),
  };
}
