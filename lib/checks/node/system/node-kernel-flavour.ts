import { agreeing } from '#lib/base/words.ts';
import { kernelFlavourOf } from '#lib/spec/index.ts';
import { defineCheck } from '../../check.ts';
import { failOnAny } from '../../framework/fail-on-any.ts';
import { agentNodes, nodeEvidence, nodeSubject } from '../../reading/nodes.ts';
import { withDetails } from '../../reading/subject-names.ts';
import { shareOf } from '../../wording/sentences.ts';

/** A kernel can be new enough and still lack the hooks that programs are attached to. */
export const nodeKernelFlavour = defineCheck({
  id: 'node.kernel-flavour',
  group: 'Nodes',
  severity: 'blocking',
  followsFrom: { 'node.architecture': 'same-subjects', 'node.kernel': 'same-subjects' },
  goals: ['install', 'enable'],
  reads: ['nodes'],
  title: 'Every kernel was built with what eBPF needs',
  gap: 'Kernels lack what eBPF needs',
  topic: 'Flavour of the kernels',
  ifIgnored: 'Pods there have no network',
  consequence:
    'The programs load but cannot be attached: pods on such a node have no network, and its agent never becomes ready.',
  remedy: {
    steps: [
      'Install a complete kernel, on Ubuntu `apt-get install linux-generic` (or `linux-virtual`), and restart the node with it.',
      'Check again.',
    ],
    command: 'kubectl get nodes -o custom-columns=NAME:.metadata.name,KERNEL:.status.nodeInfo.kernelVersion',
  },
  source: 'spec › Limits; checks.md › Nodes',
  run: (facts) =>
    failOnAny({
      all: agentNodes(facts),
      noun: 'node',
      subject: nodeSubject,
      evaluate: ({ kernel }) => {
        const flavour = kernelFlavourOf(kernel);
        return flavour && `${kernel} lacks ${flavour.lacks}`;
      },
      because: (failing, total) =>
        `${shareOf(failing.length, total, 'node')} ${agreeing(failing.length, 'has', 'have')} a kernel that was built without a part that eBPF mode needs: ${withDetails(failing)}.`,
      evidence: (node) => [nodeEvidence(node, 'status.nodeInfo.kernelVersion', node.kernel)],
    }),
});
