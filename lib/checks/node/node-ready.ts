import { agreeing, withoutStop } from '#lib/base/words.ts';
import type { Facts, NodeFact } from '#lib/facts/index.ts';
import type { Choices } from '#lib/spec/index.ts';
import { defineCheck } from '../check.ts';
import { failOnAny } from '../framework/fail-on-any.ts';
import { agentNodes, nodeEvidence, nodeSubject } from '../reading/nodes.ts';
import { plannedCni } from '../reading/planned-cni.ts';
import { withDetails } from '../reading/subject-names.ts';
import { listed, shareOf } from '../wording/sentences.ts';

/** All nodes are ready. The operator waits for every scheduled agent without a time limit, and does not say for which (pain F4). */
export const nodeReady = defineCheck({
  id: 'node.ready',
  group: 'Nodes',
  severity: 'blocking',
  causedByRuns: true,
  goals: ['install', 'enable', 'upgrade'],
  reads: ['nodes', 'agents', 'installation', 'otherNetworks', 'platform'],
  title: 'Every node can take the new agent',
  gap: 'Nodes cannot take the new agent',
  topic: 'Readiness of the nodes',
  ifIgnored: 'The rollout waits for these nodes',
  consequence:
    'One node on which the new agent does not become ready stops the rollout for all nodes, without a time limit.',
  remedy: {
    steps: ['Fix these nodes, or remove them from the cluster.', 'Check again.'],
    command: 'kubectl get nodes -o wide',
  },
  source: 'pain F4',
  appliesTo: ({ installation }, { goal }) =>
    goal === 'install' || installation.method !== 'none'
      ? true
      : { because: 'Calico is not installed: no node takes an agent of it.', restsOn: ['installation'] },
  run: (facts, choices) => {
    const nodes = agentNodes(facts);
    const waiting = choices.goal === 'install' && nodes.some(waitsForThisInstall);
    const brings = waiting && bringsNetwork(facts, choices);
    const result = failOnAny({
      all: nodes,
      noun: 'node',
      subject: nodeSubject,
      evaluate: (node) => (brings && waitsForThisInstall(node) ? null : trouble(node)),
      because: (failing, total) =>
        `${shareOf(failing.length, total, 'node')} ${agreeing(failing.length, 'holds', 'hold')} the rollout up: ${withDetails(failing)}.`,
      evidence: (node) => [
        nodeEvidence(node, 'status.conditions[Ready]', node.notReady?.because ?? node.ready),
        nodeEvidence(node, 'spec.unschedulable', node.unschedulable),
        ...(node.pressures.length > 0 ? [nodeEvidence(node, 'status.conditions', node.pressures)] : []),
      ],
    });
    // The planned network depends on the platform, and matters only if a node waits for it.
    return result.kind === 'fail' || waiting ? result : { ...result, restsOn: ['nodes', 'agents'] };
  },
});

/** Whether the plan brings a network. Beside a provider's network Calico only enforces policy, so nodes would go on waiting. */
function bringsNetwork(facts: Facts, choices: Choices): boolean {
  return plannedCni(facts, choices) === 'Calico';
}

/** Whether only the network is missing, as on every node of a new cluster: the agent of this install makes it Ready. */
function waitsForThisInstall({ notReady, pressures, agentCannotLand }: NodeFact): boolean {
  const others = pressures.filter((pressure) => pressure !== 'NetworkUnavailable');
  return notReady?.waitsFor === 'network' && others.length === 0 && agentCannotLand === null;
}

/** Why the rollout would stop at the node; null: it would not. Cordoned nodes are fine, as the agent's DaemonSet lands on them. */
function trouble({ ready, notReady, unschedulable, pressures, agentCannotLand }: NodeFact): string | null {
  const under = pressures.length > 0 ? `, with ${listed(pressures)}` : '';
  if (!ready) return `NotReady${under}${notReady === null ? '' : `: ${withoutStop(notReady.because)}`}`;
  if (unschedulable && pressures.length > 0) return `cordoned${under}`;
  return agentCannotLand === null ? null : `the agent cannot land there: ${agentCannotLand}`;
}
