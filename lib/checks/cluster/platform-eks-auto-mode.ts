import { agreeing } from '#lib/base/words.ts';
import { autoModeSign } from '#lib/spec/index.ts';
import { defineCheck } from '../check.ts';
import { failOnAny } from '../framework/fail-on-any.ts';
import { agentNodes, nodeEvidence, nodeSubject } from '../reading/nodes.ts';
import { namesOf } from '../reading/subject-names.ts';
import { shareOf } from '../wording/sentences.ts';

/** Nodes that AWS operates: network, service proxy and DNS are services of the machine (AWS › EKS Auto Mode › VPC networking; read 2026-11-22). */
export const platformEksAutoMode = defineCheck({
  id: 'platform.eks-auto-mode',
  group: 'Platform and permissions',
  severity: 'blocking',
  goals: ['install', 'enable'],
  reads: ['nodes'],
  title: 'No node is one of EKS Auto Mode',
  gap: 'Nodes are managed by EKS Auto Mode',
  topic: 'EKS Auto Mode',
  ifIgnored: 'AWS keeps its own network and proxy',
  consequence:
    'On a node of Auto Mode, AWS runs the network and the service proxy outside of Kubernetes. Neither can be turned off or replaced.',
  remedy: {
    steps: [
      'Run these workloads on a managed node group or on nodes of your own Karpenter, and delete the node pools of Auto Mode.',
      'Check again.',
    ],
    command: 'kubectl get nodes -L eks.amazonaws.com/compute-type',
  },
  source: 'spec › Limits; checks.md › Platform and permissions',
  run: (facts) =>
    failOnAny({
      all: agentNodes(facts),
      noun: 'node',
      subject: nodeSubject,
      evaluate: (node) => (autoModeSign(node) === null ? null : 'EKS Auto Mode runs it'),
      because: (failing, total) =>
        `${shareOf(failing.length, total, 'node')} ${agreeing(failing.length, 'is', 'are')} run by EKS Auto Mode: ${namesOf(failing)}.`,
      evidence: (node) => [
        autoModeSign(node) === 'system'
          ? nodeEvidence(node, 'status.nodeInfo.osImage', node.osImage)
          : nodeEvidence(node, "metadata.labels['eks.amazonaws.com/compute-type']", node.computeType),
      ],
    }),
});
