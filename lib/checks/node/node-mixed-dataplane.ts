import { agreeing } from '#lib/base/words.ts';
import { defineCheck } from '../check.ts';
import { listed } from '../wording/sentences.ts';

export const nodeMixedDataplane = defineCheck({
  id: 'node.mixed-dataplane',
  group: 'Nodes',
  severity: 'blocking',
  causedByRuns: true,
  goals: ['install', 'enable', 'upgrade'],
  reads: ['nodes', 'felix', 'dataplane'],
  title: 'All nodes have the same data plane',
  gap: 'Nodes differ in their data plane',
  topic: 'Data plane of each node',
  ifIgnored: 'Traffic between these nodes is dropped',
  consequence:
    'A node on the standard data plane drops the traffic that an eBPF node forwards to it. In the other direction NodePorts answer on some nodes only.',
  remedy: {
    steps: [
      'Remove `bpfEnabled` from FelixConfiguration `node.<name>`, or FELIX_BPFENABLED from the agent.',
      'Check again.',
    ],
    details: ['A node that fell back to iptables by itself needs a newer kernel.'],
    command:
      'kubectl get felixconfigurations.crd.projectcalico.org -o custom-columns=NAME:.metadata.name,BPF:.spec.bpfEnabled',
  },
  source: 'spec › Limits › Unsupported features',
  run: ({ installation: { deviatingNodes, dataplane, evidence } }) => {
    if (deviatingNodes.length > 0) {
      const details = listed(deviatingNodes.map(({ name, detail }) => `${name} (${detail})`));
      return {
        kind: 'fail',
        because: `${deviatingNodes.length} ${agreeing(deviatingNodes.length, 'place sets a', 'places set a')} data plane of its own: ${details}. eBPF and standard nodes cannot be mixed.`,
        subjects: deviatingNodes,
        evidence,
      };
    }
    if (dataplane.actual === 'mixed') {
      return {
        kind: 'fail',
        because: 'Some nodes are on eBPF and some are not. eBPF and standard nodes cannot be mixed.',
        subjects: [
          { kind: 'Installation', namespace: null, name: 'default', detail: 'its nodes are on different data planes' },
        ],
        evidence,
      };
    }
    if (dataplane.byEnvironment !== undefined) {
      return {
        kind: 'pass',
        because: `FELIX_BPFENABLED is ${dataplane.byEnvironment} in the environment of every agent, which beats each FelixConfiguration.`,
        restsOn: ['nodes', 'installation'],
      };
    }
    return { kind: 'pass', because: 'No node has a setting of its own.' };
  },
});
