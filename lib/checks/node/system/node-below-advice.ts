import { agreeing } from '#lib/base/words.ts';
import { belowAdvice, platformIn } from '#lib/spec/index.ts';
import { defineCheck } from '../../check.ts';
import { failOnAny } from '../../framework/fail-on-any.ts';
import { agentNodes, nodeEvidence, nodeSubject } from '../../reading/nodes.ts';
import { withDetails } from '../../reading/subject-names.ts';
import { shareOf } from '../../wording/sentences.ts';

/** The requirements of Calico's current documentation, as advice; `node.kernel` and `node.distribution` decide. */
export const nodeBelowAdvice = defineCheck({
  id: 'node.below-advice',
  group: 'Nodes',
  severity: 'info',
  followsFrom: { 'node.architecture': 'same-subjects', 'node.kernel': 'same-subjects' },
  goals: ['install', 'enable'],
  reads: ['nodes'],
  title: "Every node has what Calico's current documentation advises",
  gap: 'Nodes are below what Calico advises',
  topic: 'Advised kernels and releases',
  ifIgnored: 'An upgrade may need newer systems',
  consequence:
    'eBPF mode runs on such a node, but newer releases of Calico are not tested there. An upgrade may need a newer system first.',
  remedy: {
    steps: ['Plan an upgrade of these nodes: Ubuntu 22.04, RHEL 8.4 with kernel 4.18.0-305, elsewhere kernel 5.10.'],
  },
  source: 'spec › Limits; checks.md › Nodes',
  run: (facts, choices) =>
    failOnAny({
      all: agentNodes(facts),
      noun: 'node',
      subject: nodeSubject,
      evaluate: (node) => {
        const wanted = belowAdvice(node, platformIn(facts, choices));
        return wanted && `${node.kernel} on ${node.osImage || 'an unnamed system'}, ${wanted} is advised`;
      },
      because: (failing, total) =>
        `${shareOf(failing.length, total, 'node')} ${agreeing(failing.length, 'has', 'have')} less than Calico's current documentation advises: ${withDetails(failing)}.`,
      evidence: (node) => [
        nodeEvidence(node, 'status.nodeInfo.kernelVersion', node.kernel),
        nodeEvidence(node, 'status.nodeInfo.osImage', node.osImage),
      ],
    }),
});
