import { counted } from '#lib/base/words.ts';
import { runsAgent } from '#lib/spec/platforms/virtual-node.ts';
import { wasRead } from '#lib/spec/was-read.ts';
import type { WizardContext } from '../../wizard-context.ts';
import { passedOn } from '../row-proof.ts';
import type { Row } from './found-row.ts';

export function nodesRow({ facts }: WizardContext): Row {
  const { nodes } = facts;
  const ready = nodes.filter((node) => node.ready).length;
  const waiting = nodes.filter(({ notReady }) => notReady?.waitsFor === 'network').length;
  const standing =
    waiting > 0 && waiting + ready === nodes.length
      ? `${counted(waiting, 'node')}, waiting for a network`
      : `${ready} of ${nodes.length} Ready`;
  return {
    what: 'Nodes',
    value: wasRead(facts, 'nodes')
      ? [
          standing,
          manyOf(nodes.map(({ architecture }) => architecture)),
          manyOf(nodes.map(({ osImage }) => osImage)),
        ].join(', ')
      : 'not read',
    source: 'node status',
    change: null,
    checks: ['node.ready', 'node.architecture', 'node.distribution', 'node.linux-only', 'node.mixed-dataplane'],
  };
}

export function kernelRow({ facts }: WizardContext): Row {
  const { nodes } = facts;
  const ready = passedOn(facts, 'programs', (nodes) => `ready for eBPF on ${nodes}`);
  const linux = nodes.filter(runsAgent);
  return {
    what: 'Kernel',
    value: wasRead(facts, 'nodes') ? manyOf(linux.map(({ kernel }) => kernel)) : 'not read',
    source: facts.measured === null ? 'node status' : 'node status; probe',
    change: null,
    checks: ['node.kernel', 'node.kernel-flavour', 'node.kernel-known-bad', 'node.bpf-loads', 'node.mounts'],
    good:
      ready === null
        ? { words: 'new enough for eBPF on every node', shownBy: 'node.kernel' }
        : { words: ready, shownBy: 'node.bpf-loads' },
  };
}

const encapsulations: Readonly<Record<string, string>> = {
  None: 'no overlay',
  IPIP: 'IPIP',
  IPIPCrossSubnet: 'IPIP across subnets',
  VXLAN: 'VXLAN',
  VXLANCrossSubnet: 'VXLAN across subnets',
};

export function overlayRow({ facts }: WizardContext): Row {
  const { pools } = facts;
  const used = pools.filter(({ disabled }) => !disabled);
  const passes = passedOn(facts, 'vxlan', (nodes) => `VXLAN passes both ways, ${nodes}`);
  return {
    what: 'Overlay',
    value:
      used.length === 0
        ? 'no pool of Calico'
        : manyOf(used.map(({ encapsulation }) => encapsulations[encapsulation] ?? encapsulation)),
    source: used.length === 1 ? `IPPool ${used[0]?.name}` : counted(used.length, 'IPPool'),
    change: null,
    good: passes === null ? null : { words: passes, shownBy: 'network.vxlan-between-nodes' },
    checks: ['network.vxlan-between-nodes', 'network.mtu', 'network.overlay-choice', 'network.vxlan-port'],
  };
}

/** `5.14.0`; `5.14.0 on 13, 4.18.0 on 1`; the commonest three. */
function manyOf(values: readonly string[]): string {
  const counts = [...Map.groupBy(values, (value) => value)].map(([value, all]) => ({ value, count: all.length }));
  counts.sort((left, right) => right.count - left.count);
  if (counts.length <= 1) return counts[0]?.value ?? 'none';
  const shown = counts.slice(0, 3).map(({ value, count }) => `${value} on ${count}`);
  return counts.length > 3 ? `${shown.join(', ')} and ${counts.length - 3} more` : shown.join(', ');
}
