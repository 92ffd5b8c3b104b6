import { counted } from '#lib/base/words.ts';
import { defineCheck } from '../check.ts';
import { notMeasured } from '../framework/not-measured.ts';
import { asMeasured } from '../measured/as-measured.ts';
import { cgroupFolder } from '../reading/felix.ts';
import { agentNodes } from '../reading/nodes.ts';
import { quoted } from '../wording/sentences.ts';

export const nodeMounts = defineCheck({
  id: 'node.mounts',
  group: 'Nodes',
  severity: 'blocking',
  goals: ['install', 'enable'],
  reads: ['nodes', 'felix'],
  title: 'Every node lets Calico mount what eBPF needs',
  gap: 'Nodes lack a mount that eBPF needs',
  topic: 'Mounts for eBPF',
  ifIgnored: 'Agents do not start, the rollout waits',
  consequence:
    'Where bpffs or cgroup2 cannot be mounted, the agent stays in "Init", and the rollout waits for that node without a time limit.',
  remedy: {
    steps: ['Test the nodes, or accept this where the same image runs eBPF elsewhere.'],
    details: [
      'By hand, on one node of each image: `findmnt /sys/fs/bpf` shows bpf, and a privileged pod can mount cgroup2.',
    ],
    fixIn: 'compatibility',
  },
  source: 'checks.md › Nodes; pain P2, C5, C6',
  run: (facts) => {
    const folder = cgroupFolder(facts);
    const nodes = agentNodes(facts);
    const systems = new Set(nodes.map(({ osImage }) => osImage));
    const otherwise = notMeasured(
      `${counted(nodes.length, 'node')} with ${counted(systems.size, 'system')} would have to mount bpffs at /sys/fs/bpf and cgroup2 at ${quoted(folder)}.`,
      'A pod on each node will look for bpffs, mount cgroup2 at that folder and take it off again, and write to the folder for FlexVolume.',
    );
    return asMeasured(facts, nodes, 'mounts', {
      passed: 'bpffs and cgroup2 can be mounted.',
      otherwise,
      failing: {
        steps: [
          'No bpffs or cgroup2 in the kernel: use another kernel on these nodes, or take them out of the cluster.',
          'Read-only folder: choose one that can be written, with `cgroupV2Path` of FelixConfiguration default or `flexVolumePath` of the Installation.',
          'Test the nodes again.',
        ],
        command: 'signalbox preflight',
      },
    });
  },
});
