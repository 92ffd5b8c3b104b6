import { ChoiceError, type Findings } from '#lib/checks/index.ts';
import type { Facts } from '#lib/facts/index.ts';
import { type Clock, type Kube, systemClock } from '#lib/kube/index.ts';
import { makePlan, type Plan } from '#lib/plan/index.ts';
import { type Manifests, previewPlan } from '#lib/run/index.ts';
import type { Choices } from '#lib/spec/index.ts';
import { type AssessOptions, assess } from './assess.ts';
import { withWatch } from './with-watch.ts';

export type Prepared = { facts: Facts; findings: Findings; plan: Plan };

export type PrepareOptions = Omit<AssessOptions, 'use' | 'clock'> & {
  kube: Kube;
  clock?: Clock;
  /** For the dry run of files that a plan names by checksum. */
  manifests?: Manifests | undefined;
  /** All nodes were tested for this plan just now, and nothing was kept of it, as in a sandbox. */
  wasTested?: boolean;
};

/**
 * Facts → checks → plan → dry runs: what `plan`, `apply` and the review page show. Changes nothing. Rejects with ChoiceError, KubeError, PlanError
 * (also if an *install* names no release), and as `releases` does.
 */
export async function preparePlan({
  kube,
  clock = systemClock,
  manifests,
  wasTested = false,
  ...options
}: PrepareOptions): Promise<Prepared> {
  const use: AssessOptions['use'] = (work) => work({ kube, clock });
  const { facts, findings, choices, release, running, through, problems } = await assess({ ...options, use, clock });
  if (problems.length > 0) throw new ChoiceError(problems);
  const now = new Date(clock.now()).toISOString();
  const planned = (answers: Choices) => makePlan({ facts, choices: answers, findings, now, release, running, through });
  const first = planned(choices);
  const watched = withWatch(choices, facts, first, wasTested);
  const made = watched === choices ? first : planned(watched);
  return { facts, findings, plan: await previewPlan(kube, made, options.signal, manifests) };
}
