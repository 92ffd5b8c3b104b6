import type { Facts } from '#lib/facts/index.ts';
import { type Choices, kernelVerdict, platformIn } from '#lib/spec/index.ts';
import { shellWordInSentence } from '#lib/text/index.ts';
import { defineCheck, type Result } from '../check.ts';
import { failOnAny } from '../framework/fail-on-any.ts';
import { agentNodes, nodeEvidence, nodeSubject } from '../reading/nodes.ts';
import { outageOnEbpf } from '../reading/outage-on-ebpf.ts';
import { proxyIsOff } from '../reading/proxy.ts';
import { withDetails } from '../reading/subject-names.ts';
import { quoted, shareOf } from '../wording/sentences.ts';

/** The check that matters most: Calico falls back per node without saying so (pain C1). */
export const nodeKernel = defineCheck({
  id: 'node.kernel',
  group: 'Nodes',
  severity: 'blocking',
  followsFrom: { 'node.architecture': 'same-subjects' },
  goals: ['install', 'enable'],
  reads: ['nodes'],
  title: 'Every node has a kernel that can run eBPF',
  gap: 'Kernels are too old for eBPF',
  topic: 'Kernels of the nodes',
  ifIgnored: 'These nodes lose all Services',
  consequence:
    'On an older kernel the agent silently falls back to iptables. Once the service proxy is off, that node has no Services.',
  remedy: {
    steps: [
      'Upgrade the kernel of these nodes and restart them.',
      'Or replace them with nodes whose image has a newer kernel.',
      'Or remove them from the cluster.',
      'Check again.',
    ],
  },
  source: 'spec › Limits; pain C1',
  run: (facts, choices) =>
    outageOnEbpf(
      facts,
      withCommands(kernelResult(facts), facts, choices),
      (because) => `${because} ${fellBack(facts)}`,
    ),
});

/** The ways out, with commands for the first of the nodes: to drain all of them at once would leave their pods no room. */
function withCommands(result: Result, facts: Facts, choices: Choices): Result {
  if (result.kind !== 'fail') return result;
  const [first, ...others] = result.subjects;
  if (first === undefined) return result;
  const name = shellWordInSentence(first.name);
  const [upgrade, replace, remove] =
    others.length === 0
      ? [
          'Upgrade the kernel of this node and restart it.',
          'Or replace it with a node whose image has a newer kernel.',
          'Or remove it from the cluster once its pods are moved away',
        ]
      : [
          'Upgrade the kernel of these nodes and restart them, one after the other.',
          'Or replace them with nodes whose image has a newer kernel.',
          'Or remove them from the cluster, each once its pods are moved away',
        ];
  const isKubeadm = platformIn(facts, choices) === 'kubeadm';
  const join =
    'On a control plane node, this prints how a new node joins: `kubeadm token create --print-join-command`.';
  return {
    ...result,
    remedy: {
      steps: [
        `${upgrade} Move the pods away before: \`kubectl drain ${name} --ignore-daemonsets\`. Let pods in again afterwards: \`kubectl uncordon ${name}\`.`,
        isKubeadm ? `${replace} ${join}` : replace,
        `${remove}: \`kubectl delete node ${name}\`.`,
        'Check again.',
      ],
    },
  };
}

function kernelResult(facts: Facts): Result {
  return failOnAny({
    all: agentNodes(facts),
    noun: 'node',
    subject: nodeSubject,
    evaluate: (node) => {
      const { kernel, osImage } = node;
      const { floor, has } = kernelVerdict(node);
      switch (has) {
        case 'yes':
          return null;
        case 'no':
          return `${kernel} on ${osImage || 'an unnamed system'}, ${floor} is needed`;
        case 'undecided':
          return { undecided: `its kernel reports version ${quoted(kernel)}, which cannot be read` };
      }
    },
    because: (failing, total) => `${shareOf(failing.length, total, 'node')} cannot run eBPF: ${withDetails(failing)}.`,
    evidence: (node) => [
      nodeEvidence(node, 'status.nodeInfo.kernelVersion', node.kernel),
      nodeEvidence(node, 'status.nodeInfo.osImage', node.osImage),
    ],
  });
}

/** Felix checks the kernel when it starts, and uses iptables if it is too old (pain C1). */
function fellBack(facts: Facts): string {
  return proxyIsOff(facts) === true
    ? 'eBPF is on: the agent falls back to iptables there, and with the service proxy off nothing serves Services.'
    : 'eBPF is on: the agent falls back to iptables there.';
}
