import type { NodeFact } from '#lib/facts/index.ts';
import { defineCheck } from './check.ts';
import { failOnAny } from './framework/fail-on-any.ts';
import { agentNodes, nodeEvidence, nodeSubject } from './reading/nodes.ts';
import { withDetails } from './reading/subject-names.ts';
import { agreeing, listed, shareOf } from './wording/sentences.ts';

/** The operator has no canary and no timeout: it waits for every scheduled agent, and says neither that it waits nor for which (pain F4). */
export const nodeReady = defineCheck({
  id: 'node.ready',
  group: 'Nodes',
  severity: 'blocking',
  goals: ['enable', 'upgrade'],
  reads: ['nodes', 'workloads'],
  title: 'Every node can take the new agent',
  consequence:
    'One node on which the new agent does not become ready holds the rollout up for every node, without a limit in time.',
  remedy: {
    steps: ['Repair these nodes, or take them out of the cluster.', 'Check again.'],
    command: 'kubectl get nodes -o wide',
  },
  source: 'pain F4',
  run: (facts) =>
    failOnAny({
      all: agentNodes(facts),
      noun: 'node',
      subject: nodeSubject,
      judge: (node) => trouble(node),
      because: (failing, total) =>
        `${shareOf(failing.length, total, 'node')} ${agreeing(failing.length, 'holds', 'hold')} the rollout up: ${withDetails(failing)}.`,
      evidence: (node) => [
        nodeEvidence(node, 'status.conditions[Ready]', node.ready),
        nodeEvidence(node, 'spec.unschedulable', node.unschedulable),
        ...(node.pressures.length > 0 ? [nodeEvidence(node, 'status.conditions', node.pressures)] : []),
      ],
    }),
});

/** Cordoned alone is no trouble: the agent's DaemonSet lands on cordoned nodes. */
function trouble({ ready, unschedulable, pressures, agentCannotLand }: NodeFact): string | null {
  if (!ready) return 'NotReady';
  if (unschedulable && pressures.length > 0) return `cordoned, with ${listed(pressures)}`;
  return agentCannotLand === null ? null : `the agent cannot land there: ${agentCannotLand}`;
}
