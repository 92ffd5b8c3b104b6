import { type ChoiceProblem, choiceProblems, type Findings, runChecks, withProposedFixes } from '#lib/checks/index.ts';
import { type Facts, withAccess } from '#lib/facts/index.ts';
import { type Clock, systemClock } from '#lib/kube/index.ts';
import { withAccessOfPlan } from '#lib/plan/index.ts';
import type { Releases } from '#lib/run/index.ts';
import type { Choices, ReleaseContents } from '#lib/spec/index.ts';
import { withPolicyTarget } from './policy/policy-target.ts';
import { measuredFor } from './preflight/measured-plan.ts';
import { type ReadOptions, readAccessOf, readFacts, withNamedAccess } from './reading.ts';
import { withReleaseFiles } from './release/release-files.ts';

export type AssessOptions = ReadOptions & {
  /** The answers that facts depend on (which endpoint to probe). If the goal is absent, the facts decide it. */
  answers: Omit<Choices, 'goal'> & { goal?: Choices['goal'] };
  /** All answers, once the facts are known. Returns `answers` where that has a goal. */
  choices(facts: Facts): Choices;
  /** If absent, no file of any release is opened. */
  releases?: Releases | undefined;
  /** Says when the checks ran. */
  clock?: Pick<Clock, 'now'>;
};

/**
 * What a face shows before a plan. `choices`: including the fixes that accepted proposals chose. `release`: what an *install* or an *upgrade* brings,
 * if its files are at hand. `problems`: acknowledgements and fixes that do not apply; they change no finding, and no plan is made while there are
 * any.
 */
export type Assessment = {
  facts: Facts;
  findings: Findings;
  choices: Choices;
  release: ReleaseContents | null;
  /** *upgrade*: the files of the release that runs, if they are at hand. */
  running: ReleaseContents | null;
  /** *upgrade*: the releases in between. */
  through: readonly ReleaseContents[];
  problems: readonly ChoiceProblem[];
};

/** Facts → files of the release → checks, for every face. Reads only. Rejects with KubeError, and as `releases` does. */
export async function assess(options: AssessOptions): Promise<Assessment> {
  const { answers, releases, clock = systemClock, journalNamespaces } = options;
  const accessOf = (goal: Choices['goal']) => readAccessOf(goal, options);
  const [read, early] = await Promise.all([
    readFacts({ ...answers, goal: answers.goal ?? 'enable' }, options),
    answers.goal ? accessOf(answers.goal) : null,
  ]);
  const chosen = options.choices(read);
  const access = await withNamedAccess(early ?? (await accessOf(chosen.goal)), read, chosen, options);
  const { facts: known, files, release, through = [] } = await withReleaseFiles(read, chosen, { ...options, releases });
  const around = await withPolicyTarget(known, chosen, options);
  const facts = measuredFor(withAccess(around, access), chosen);
  const now = new Date(clock.now()).toISOString();
  const findingsFor = (choices: Choices) =>
    runChecks(withAccessOfPlan(facts, choices, { release, through }, journalNamespaces), choices, { now, files });
  const found = findingsFor(chosen);
  const choices = withProposedFixes(chosen, found);
  // The result of the checks depends on fixes too (`fixedBy`, and the permissions that the plan needs for them), so they run again with the fixes that were chosen.
  const findings = choices === chosen ? found : findingsFor(choices);
  return {
    facts,
    findings,
    choices,
    release,
    running: files.running ?? null,
    through,
    problems: choiceProblems(choices, findings),
  };
}
