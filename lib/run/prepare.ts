import { type Findings, runChecks } from '#lib/checks/index.ts';
import { collectFacts, type Facts } from '#lib/facts/index.ts';
import { type Clock, type Kube, systemClock } from '#lib/kube/index.ts';
import { makePlan, type Plan, rulesFor } from '#lib/plan/index.ts';
import type { Choices } from '#lib/spec/index.ts';
import { previewPlan } from './preview.ts';

export type Prepared = { facts: Facts; findings: Findings; plan: Plan };

/** Facts → checks → plan → dry runs: what `plan`, `apply` and the review page show. Changes nothing. */
export async function preparePlan({
  kube,
  choices,
  clock = systemClock,
  signal,
}: {
  kube: Kube;
  choices: Choices;
  clock?: Clock;
  signal: AbortSignal;
}): Promise<Prepared> {
  const { facts, findings } = await readAndCheck({ kube, choices, clock, signal });
  const now = new Date(clock.now()).toISOString();
  const plan = await previewPlan(kube, makePlan({ facts, choices, findings, now }), signal);
  return { facts, findings, plan };
}

export async function readAndCheck({
  kube,
  choices,
  clock = systemClock,
  signal,
}: {
  kube: Kube;
  choices: Choices;
  clock?: Clock;
  signal: AbortSignal;
}): Promise<{ facts: Facts; findings: Findings }> {
  const facts = await collectFacts({ kube, choices, rules: rulesFor(choices.goal), clock, signal });
  const findings = runChecks(facts, choices, { now: new Date(clock.now()).toISOString() });
  return { facts, findings };
}
