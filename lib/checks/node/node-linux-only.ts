import { agreeing, counted } from '#lib/base/words.ts';
import { defineCheck } from '../check.ts';
import { failOnAny } from '../framework/fail-on-any.ts';
import { nodeEvidence, nodeSubject } from '../reading/nodes.ts';
import { listed } from '../wording/sentences.ts';

export const nodeLinuxOnly = defineCheck({
  id: 'node.linux-only',
  group: 'Nodes',
  severity: 'blocking',
  goals: ['install', 'enable'],
  reads: ['nodes'],
  title: 'No node runs Windows',
  gap: 'Nodes run Windows',
  topic: 'Operating systems of the nodes',
  ifIgnored: 'NodePort traffic to Windows is dropped',
  consequence:
    'Only nodes with eBPF programs can receive the NodePort traffic that eBPF nodes forward. A Windows node drops it.',
  remedy: {
    steps: ['Keep the standard data plane on this cluster, or move the Windows nodes to another one.', 'Check again.'],
  },
  source: 'spec › Limits › Unsupported features; pain C10',
  run: ({ nodes }) =>
    failOnAny({
      all: nodes,
      noun: 'node',
      subject: nodeSubject,
      evaluate: ({ os, osImage }) => {
        if (os === 'windows') return osImage === '' ? 'runs Windows' : osImage;
        return os === '' ? { undecided: 'it tells no operating system' } : null;
      },
      because: (failing) =>
        `${counted(failing.length, 'node')} ${agreeing(failing.length, 'runs', 'run')} Windows: ${listed(failing.map(({ name }) => name))}. eBPF mode needs all nodes to be Linux.`,
      evidence: (node) => [nodeEvidence(node, 'status.nodeInfo.operatingSystem', node.os)],
    }),
});
