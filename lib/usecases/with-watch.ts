import type { Facts } from '#lib/facts/index.ts';
import { type Plan, touchesTraffic } from '#lib/plan/index.ts';
import { type Choices, runsAgent } from '#lib/spec/index.ts';
import { measuredPlan } from './preflight/measured-plan.ts';

/**
 * The choices with Services watched, if all nodes were tested for this plan, it touches traffic, and the user did not say otherwise. Testing all
 * nodes shows that pods may run on each of them, which the watch needs too. Without a network there are no Services to interrupt. `wasTested`: they
 * were tested just now, and nothing was kept of it, as in a sandbox.
 */
export function withWatch(choices: Choices, facts: Facts, plan: Pick<Plan, 'operations'>, wasTested = false): Choices {
  const { measured, installation } = facts;
  const hasNetwork = installation.method !== 'none' || installation.otherNetworks.length > 0;
  const isTested = wasTested || (measured?.plan?.release === measuredPlan(facts, choices).release && areTested(facts));
  if (choices.watchServices !== undefined || !isTested || !hasNetwork) return choices;
  return plan.operations.some(touchesTraffic) ? { ...choices, watchServices: true } : choices;
}

/** Whether each node that a watch may use was tested by at least one test that ran there. */
function areTested({ nodes, measured }: Facts): boolean {
  const tested = new Set(
    (measured?.nodes ?? []).flatMap(({ node, tests }) =>
      Object.values(tests).some(({ kind }) => kind !== 'not-run') ? [node] : [],
    ),
  );
  const asking = nodes.filter((node) => runsAgent(node) && node.ready);
  return asking.length > 0 && asking.every(({ name }) => tested.has(name));
}
