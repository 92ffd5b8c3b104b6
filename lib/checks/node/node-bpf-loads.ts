import { counted } from '#lib/base/words.ts';
import type { NodeFact } from '#lib/facts/index.ts';
import { kernelVerdict } from '#lib/spec/index.ts';
import { defineCheck } from '../check.ts';
import { notMeasured } from '../framework/not-measured.ts';
import { asMeasured } from '../measured/as-measured.ts';
import { agentNodes } from '../reading/nodes.ts';

/**
 * The kernel's version is not enough: a board with 6.1 could not load the programs (pain C1), and verifiers differ between kernels (pain C2). Only the
 * release's agent loads the release's own objects (pain P3); lib/spec/releases/bpf-features.ts says why.
 */
export const nodeBpfLoads = defineCheck({
  id: 'node.bpf-loads',
  group: 'Nodes',
  severity: 'blocking',
  goals: ['install', 'enable'],
  reads: ['nodes'],
  title: "Every node's kernel is ready for the eBPF programs of this release",
  gap: 'Kernels refuse the eBPF programs',
  topic: 'Loading eBPF programs',
  ifIgnored: 'These nodes lose all Services',
  consequence:
    'A node whose kernel refuses them silently falls back to iptables, or its agent restarts again and again. With the service proxy off it then has no Services.',
  remedy: {
    steps: ['Test the nodes, or accept this where the same kernels run eBPF elsewhere.'],
    details: [
      'The agent loads the programs. The run waits until they are proven active on every node; the service proxy stays until then.',
    ],
    fixIn: 'compatibility',
  },
  source: 'checks.md › Nodes; pain P1, P3',
  run: (facts) => {
    const nodes = agentNodes(facts);
    const kernels = [...new Set(nodes.map(({ kernel }) => kernel))];
    const otherwise = notMeasured(
      `${counted(kernels.length, 'kernel')} on ${counted(nodes.length, 'node')} would have to take the programs of the release.`,
      'A pod on each node will ask its kernel for every feature of the programs. It loads none: the run proves them on every node before the service proxy goes.',
    );
    // Other nodes have a finding of their own.
    const able = nodes.filter(couldLoad);
    return asMeasured(facts, able, 'programs', {
      passed:
        'Every kernel has all features of the programs, and is of a family on which this release is known to run.',
      otherwise,
      failing: {
        steps: [
          'Upgrade the kernel of these nodes, or remove them from the cluster.',
          'Too little memory: free some, or use larger machines.',
          'Test the nodes again.',
        ],
        command: 'signalbox preflight',
      },
    });
  },
});

/** Whether kernel and architecture allow programs at all; for the others `node.kernel` and `node.architecture` fail. */
function couldLoad(node: NodeFact): boolean {
  return kernelVerdict(node).has !== 'no' && ['amd64', 'arm64', ''].includes(node.architecture);
}
