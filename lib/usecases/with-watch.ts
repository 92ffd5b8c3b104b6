import type { Facts } from '#lib/facts/index.ts';
import { type Plan, touchesTraffic } from '#lib/plan/index.ts';
import { type Choices, runsAgent } from '#lib/spec/index.ts';
import { measuredPlan } from './preflight/measured-plan.ts';

/**
 * The answers of a plan for which nodes were tested: services are asked while it touches traffic, unless somebody said otherwise. Whoever has had pods
 * on all of the nodes for this plan gets what they can tell of its effect: who tested some of them has let pods on
 * no others. Without a network nobody has a service that could fail.
 */
export function withWatch(choices: Choices, facts: Facts, plan: Pick<Plan, 'operations'>): Choices {
  const { measured, installation } = facts;
  const hasNetwork = installation.method !== 'none' || installation.otherNetworks.length > 0;
  const isTested = measured?.plan?.release === measuredPlan(facts, choices).release && areTested(facts);
  if (choices.watchServices !== undefined || !isTested || !hasNetwork) return choices;
  return plan.operations.some(touchesTraffic) ? { ...choices, watchServices: true } : choices;
}

/** Each of the nodes that a watch may put a pod on, by at least one test that ran there. */
function areTested({ nodes, measured }: Facts): boolean {
  const tested = new Set(
    (measured?.nodes ?? []).flatMap(({ node, tests }) =>
      Object.values(tests).some(({ kind }) => kind !== 'not-run') ? [node] : [],
    ),
  );
  const asking = nodes.filter((node) => runsAgent(node) && node.ready);
  return asking.length > 0 && asking.every(({ name }) => tested.has(name));
}
