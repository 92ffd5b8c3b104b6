import { agreeing } from '#lib/base/words.ts';
import { defineCheck } from '../check.ts';
import { failOnAny } from '../framework/fail-on-any.ts';
import { agentNodes, nodeEvidence, nodeSubject } from '../reading/nodes.ts';
import { withDetails } from '../reading/subject-names.ts';
import { quoted, shareOf } from '../wording/sentences.ts';

const supported: ReadonlySet<string> = new Set(['amd64', 'arm64']);

export const nodeArchitecture = defineCheck({
  id: 'node.architecture',
  group: 'Nodes',
  severity: 'blocking',
  goals: ['install', 'enable'],
  reads: ['nodes'],
  title: 'Every node is x86-64 or arm64',
  gap: 'Nodes have an unsupported architecture',
  topic: 'Architecture of the nodes',
  ifIgnored: 'These nodes lose all Services',
  consequence:
    'Calico has no eBPF programs for other architectures: the agent cannot start its data plane there, and the node has no Services.',
  remedy: { steps: ['Remove these nodes from the cluster.', 'Check again.'] },
  source: 'spec › Limits',
  run: (facts) =>
    failOnAny({
      all: agentNodes(facts),
      noun: 'node',
      subject: nodeSubject,
      evaluate: ({ architecture }) => {
        if (supported.has(architecture)) return null;
        return architecture === ''
          ? { undecided: 'it tells no architecture' }
          : `${quoted(architecture)}, amd64 or arm64 is needed`;
      },
      because: (failing, total) =>
        `${shareOf(failing.length, total, 'node')} ${agreeing(failing.length, 'has', 'have')} an architecture without eBPF programs: ${withDetails(failing)}.`,
      evidence: (node) => [nodeEvidence(node, 'status.nodeInfo.architecture', node.architecture)],
    }),
});
