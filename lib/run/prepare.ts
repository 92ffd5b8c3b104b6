import { type ChoiceProblem, choiceProblems, type Findings, runChecks } from '#lib/checks/index.ts';
import { collectFacts, type Facts } from '#lib/facts/index.ts';
import { type Clock, type Kube, systemClock } from '#lib/kube/index.ts';
import { makePlan, type Plan, rulesFor, withAccessOfPlan } from '#lib/plan/index.ts';
import type { Choices } from '#lib/spec/index.ts';
import { claimsOfEndedRuns } from './left-behind.ts';
import { previewPlan } from './preview.ts';

export type Prepared = { facts: Facts; findings: Findings; plan: Plan };

export type PrepareOptions = {
  kube: Kube;
  /** The answers that facts depend on (which endpoint to probe). */
  given: Omit<Choices, 'goal'> & { goal?: Choices['goal'] };
  /** All answers, once it is known what runs: the goal may follow from it. */
  choices(facts: Facts): Choices;
  /** Where earlier runs have their journals; kube-system unless `--journal-namespace`. */
  journalNamespace?: string;
  clock?: Clock;
  signal: AbortSignal;
};

/** Facts → checks → plan → dry runs: what `plan`, `apply` and the review page show. Changes nothing. */
export async function preparePlan(options: PrepareOptions): Promise<Prepared> {
  const { facts, findings, choices } = await readAndCheck(options);
  const now = new Date((options.clock ?? systemClock).now()).toISOString();
  const plan = await previewPlan(options.kube, makePlan({ facts, choices, findings, now }), options.signal);
  return { facts, findings, plan };
}

/** An acknowledgement or mend that cannot be had; `problems` names each field. */
export class ChoiceError extends Error {
  override name = 'ChoiceError';
  readonly problems: readonly ChoiceProblem[];

  constructor(problems: readonly ChoiceProblem[]) {
    super(problems.map((problem) => problem.message).join('\n'));
    this.problems = problems;
  }
}

/** Facts → checks. Rejects with ChoiceError. */
export async function readAndCheck({
  kube,
  given,
  choices: choose,
  journalNamespace,
  clock = systemClock,
  signal,
}: PrepareOptions): Promise<{ facts: Facts; findings: Findings; choices: Choices }> {
  const facts = await collectFacts({
    kube,
    choices: { ...given, goal: given.goal ?? 'enable' },
    rules: rulesFor(given.goal ?? 'enable'),
    leftBehind: await claimsOfEndedRuns(kube, journalNamespace),
    clock,
    signal,
  });
  const choices = choose(facts);
  const findings = runChecks(withAccessOfPlan(facts, choices), choices, { now: new Date(clock.now()).toISOString() });
  const problems = choiceProblems(choices, findings);
  if (problems.length > 0) throw new ChoiceError(problems);
  return { facts, findings, choices };
}
