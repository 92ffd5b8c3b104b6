import type { Evidence, FactKey, Facts, Subject } from '#lib/facts/index.ts';
import type { Choices, Goal } from '#lib/spec/index.ts';

export type Severity = 'blocking' | 'warning' | 'info';

/** Groups in the order in which they are shown; checks.md's headings. */
export const groups = [
  'Platform and permissions',
  'API endpoint',
  'Service proxy',
  'Nodes',
  'Network',
  'Features',
  'Installation and upgrade',
] as const;
export type Group = (typeof groups)[number];

/** `severity` only where the catalogue has two for the check. */
export type Result =
  | { kind: 'pass'; because?: string; evidence?: Evidence[] }
  | { kind: 'skipped'; because: string }
  | { kind: 'unknown'; because: string; subjects?: Subject[]; evidence?: Evidence[] }
  | { kind: 'fail'; because: string; subjects: Subject[]; severity?: Severity; evidence?: Evidence[]; remedy?: Remedy };

export type Remedy = {
  steps: string[];
  command?: string;
  /** Wizard step where the answer is changed. */
  fixIn?: string;
  /** Operation that `--fix ID` takes into the plan. */
  autofix?: string;
};

/**
 * A rule over Facts and Choices (architecture.md › Check). Pure. `run` sees facts that may be partly empty: the framework turns a
 * *pass* into *unknown* when a key in `reads` was not covered; one failing subject is enough to fail.
 */
export type Check = {
  id: string;
  group: Group;
  severity: Severity;
  goals: readonly Goal[];
  reads: readonly FactKey[];
  title: string;
  consequence: string;
  remedy: Remedy;
  /** Row of checks.md's last column: `spec › Limits`, `pain C1`. */
  source: string;
  appliesTo?(facts: Facts, choices: Choices): true | { because: string };
  run(facts: Facts, choices: Choices): Result;
};

/** One check's answer (cli.md › check): a public contract. */
export type Finding = {
  id: string;
  group: Group;
  severity: Severity;
  status: 'fail' | 'pass' | 'unknown' | 'skipped';
  title: string;
  because: string;
  subjects: Subject[];
  consequence: string;
  remedy: Remedy;
  evidence: Evidence[];
  observedAt: string;
  /** The recorded reason; only for warnings and unknowns. */
  acknowledged: string | null;
  /** The operation that the chosen mend puts into the plan. */
  fixedBy: string | null;
};

export type Verdict = 'ready' | 'needs-answers' | 'blocked';

export type Findings = {
  apiVersion: 'signalbox.dev/v1';
  kind: 'Findings';
  goal: Goal;
  cluster: string;
  verdict: Verdict;
  counts: { fail: { blocking: number; warning: number; info: number }; unknown: number; pass: number; skipped: number };
  findings: Finding[];
};
