import { expect, test } from 'vitest';
import type { LogReading, NodeObservation, ProgramsSeen } from './observation.ts';
import { verdict } from './verdict.ts';

const now = Date.UTC(2026, 0, 1, 12);
const hourAgo = now - 3_600_000;
type LogOrState<K extends LogReading['kind']> = Extract<LogReading, { kind: K }>;
const silent = (differs: Partial<LogOrState<'silent'>> = {}): LogReading => ({
  kind: 'silent',
  startedAt: hourAgo,
  reachesBack: 'start',
  ...differs,
});
const says = (kind: 'enabled' | 'refused', differs: Partial<LogOrState<'enabled' | 'refused'>> = {}): LogReading => ({
  kind,
  line: `that it is ${kind}`,
  startedAt: hourAgo,
  sinceChange: true,
  ...differs,
});
const ready = {
  uid: 'u',
  name: 'calico-node-w',
  namespace: 'calico-system',
  ready: true,
  words: 'is ready',
  createdAt: hourAgo,
  startedAt: hourAgo,
};
const replaced = { ...ready, ready: false, words: 'is being replaced' };
const byAll = {
  wanted: 'standard',
  decidedBy: 'FelixConfiguration',
  differs: false,
  since: null,
  severity: null,
  cgroupFolder: '/run/calico/cgroup',
  podInterfaces: ['cali'],
} as const;
const bpf = { ...byAll, wanted: 'bpf' } as const;
const exec = { object: 'calico-system/Pod/calico-node-w', path: 'exec', value: '12 entries' };

const attached = (...devices: string[]): Extract<ProgramsSeen, { kind: 'read' }> => ({
  kind: 'read',
  devices,
  onCgroup: 0,
  services: null,
  evidence: { ...exec, value: devices.join(', ') || 'none' },
});

/** A node of a standard cluster at rest. */
const aNode = (differs: Partial<NodeObservation>): NodeObservation => ({
  kernel: '6.1.0-13-amd64',
  apart: null,
  agent: ready,
  log: silent(),
  maps: null,
  programs: null,
  felix: byAll,
  installationPlane: 'standard',
  before: null,
  ...differs,
});

test.each<{ words: string; node: Partial<NodeObservation>; plane: string; because: string }>([
  { words: 'at rest', node: {}, plane: 'standard', because: 'its agent started without eBPF' },
  {
    words: 'switched',
    node: { log: says('enabled'), felix: bpf, installationPlane: 'bpf' },
    plane: 'bpf',
    because: 'its agent says that eBPF is on',
  },
  {
    words: 'fell back: the one that nobody else tells of',
    node: { log: says('refused'), felix: bpf, installationPlane: 'bpf', kernel: '4.15.0-213-generic' },
    plane: 'fell-back',
    because: 'its agent says that kernel 4.15.0-213-generic cannot run eBPF',
  },
  {
    words: 'eBPF that is configured and was not read is not known',
    node: { log: { kind: 'not-read' }, felix: bpf, installationPlane: 'bpf' },
    plane: 'unknown',
    because: 'its agent’s log has not been read yet',
  },
  {
    words: 'eBPF that is configured and cannot be read is not known',
    node: { log: { kind: 'unreadable', because: 'forbidden' }, felix: bpf, installationPlane: 'bpf' },
    plane: 'unknown',
    because: 'its agent’s log cannot be read: forbidden',
  },
  {
    words: 'the standard data plane may rest on its configuration, and says so',
    node: { log: { kind: 'unreadable', because: 'forbidden' } },
    plane: 'standard',
    because: 'FelixConfiguration has eBPF off; its agent’s log cannot be read: forbidden',
  },
  {
    words: 'a rotated log says nothing by its silence',
    node: { log: silent({ reachesBack: 'neither' }), felix: bpf, installationPlane: 'bpf' },
    plane: 'unknown',
    because: 'its agent’s log no longer goes back to its start (rotated)',
  },
  {
    words: 'nor does one that leaves Info out',
    node: { felix: { ...bpf, severity: 'Warning' }, installationPlane: 'bpf' },
    plane: 'unknown',
    because: 'its agent logs at severity Warning, above Info, so its log cannot tell',
  },
  {
    words: 'an agent pod that is replaced in a switch moves',
    node: { agent: replaced, before: 'standard', installationPlane: 'bpf' },
    plane: 'moving',
    because: 'its agent is being replaced',
  },
  {
    words: 'one that is replaced for another reason does not: its data plane stays',
    node: { agent: replaced, before: 'standard' },
    plane: 'standard',
    because: 'its agent is being replaced; it was seen on the standard data plane before',
  },
  {
    words: 'one that was never seen before is not known',
    node: { agent: replaced },
    plane: 'unknown',
    because: 'its agent is being replaced',
  },
  {
    words: 'the switch is written, its agent has not said anything',
    node: { felix: { ...bpf, since: now - 3_000 }, installationPlane: 'bpf', before: 'standard' },
    plane: 'moving',
    because: 'its agent has not reported yet whether eBPF is on',
  },
  {
    words: 'two minutes later that is a doubt',
    node: { felix: { ...bpf, since: now - 121_000 }, installationPlane: 'bpf', before: 'standard' },
    plane: 'unknown',
    because: 'FelixConfiguration has eBPF on, and its agent has not said that it is',
  },
  {
    words: 'on the way back its agent has just started again',
    node: { felix: { ...byAll, since: now - 4_000 }, log: silent({ startedAt: now - 2_000 }), before: 'bpf' },
    plane: 'moving',
    because: 'its agent has just started again',
  },
  {
    words: 'and is quiet about eBPF: it is back',
    node: { felix: { ...byAll, since: now - 20_000 }, log: silent({ startedAt: now - 10_000 }), before: 'bpf' },
    plane: 'standard',
    because: 'its agent started without eBPF',
  },
  {
    words: 'eBPF against the configuration is told',
    node: { log: says('enabled') },
    plane: 'bpf',
    because: 'its agent says that eBPF is on, and FelixConfiguration has it off',
  },
  {
    words: 'Windows is not counted',
    node: { apart: 'it runs Windows, which has a data plane of its own', agent: null },
    plane: 'not-counted',
    because: 'it runs Windows, which has a data plane of its own',
  },
  { words: 'no agent', node: { agent: null }, plane: 'unknown', because: 'its agent pod does not exist yet' },
  {
    words: 'what the log leaves open, its eBPF maps may tell',
    node: {
      log: { kind: 'unreadable', because: 'forbidden' },
      felix: bpf,
      installationPlane: 'bpf',
      maps: { kind: 'entries', evidence: exec },
    },
    plane: 'bpf',
    because: 'Services are in its eBPF maps',
  },
  {
    words: 'maps without a service tell nothing',
    node: {
      log: { kind: 'unreadable', because: 'forbidden' },
      felix: bpf,
      installationPlane: 'bpf',
      maps: { kind: 'none', because: 'there are none' },
    },
    plane: 'unknown',
    because: 'its agent’s log cannot be read: forbidden; there are none',
  },
  {
    words: 'maps do not take back a refusal: they may be left from before',
    node: { log: says('refused'), felix: bpf, installationPlane: 'bpf', maps: { kind: 'entries', evidence: exec } },
    plane: 'fell-back',
    because: 'its agent says that kernel 6.1.0-13-amd64 cannot run eBPF',
  },
  {
    words: 'an agent that says eBPF is on, and has attached it, is on it',
    node: { log: says('enabled'), felix: bpf, installationPlane: 'bpf', programs: attached('eth0') },
    plane: 'bpf',
    because: 'its agent says that eBPF is on',
  },
  {
    words: 'one that says so while nothing is attached is given a while',
    node: {
      log: says('enabled'),
      felix: { ...bpf, since: now - 9_000 },
      installationPlane: 'bpf',
      programs: attached(),
    },
    plane: 'moving',
    because: 'its agent says that eBPF is on, and none of its programs is attached to an interface',
  },
  {
    words: 'and is not believed later',
    node: { log: says('enabled'), felix: bpf, installationPlane: 'bpf', programs: attached() },
    plane: 'unknown',
    because: 'its agent says that eBPF is on, and none of its programs is attached to an interface',
  },
  {
    words: 'nor one whose programs are attached, and whose maps have no Service',
    node: {
      log: says('enabled'),
      felix: bpf,
      installationPlane: 'bpf',
      programs: { ...attached('eth0'), services: false },
    },
    plane: 'unknown',
    because: 'its agent says that eBPF is on, and no Service is in its eBPF maps',
  },
  {
    words: 'which is given a while too',
    node: {
      ...{ log: says('enabled'), felix: { ...bpf, since: now - 9_000 }, installationPlane: 'bpf' },
      programs: { ...attached('eth0'), services: false },
    },
    plane: 'moving',
    because: 'its agent says that eBPF is on, and no Service is in its eBPF maps',
  },
  {
    words: 'maps are left from before where nothing is attached',
    node: {
      log: { kind: 'unreadable', because: 'forbidden' },
      felix: bpf,
      installationPlane: 'bpf',
      maps: { kind: 'entries', evidence: exec },
      programs: attached(),
    },
    plane: 'unknown',
    because: 'Services are in its eBPF maps, and none of its programs is attached to an interface',
  },
  {
    words: 'on the way back programs that are left contradict its agent',
    node: { programs: attached('eth0', 'lo') },
    plane: 'unknown',
    because: 'its agent started without eBPF, and programs of eBPF are still attached (eth0, lo)',
  },
  {
    words: 'so do those on the cgroup alone',
    node: { programs: { ...attached(), onCgroup: 2 } },
    plane: 'unknown',
    because: 'its agent started without eBPF, and programs of eBPF are still attached (none)',
  },
  {
    words: 'a kernel without any is back, whatever its log lacks',
    node: { log: { kind: 'unreadable', because: 'forbidden' }, programs: attached() },
    plane: 'standard',
    because: 'its kernel has no program of eBPF attached',
  },
  {
    words: 'where nobody could ask the kernel its agent is believed',
    node: { log: says('enabled'), felix: bpf, installationPlane: 'bpf', programs: { kind: 'unreadable' } },
    plane: 'bpf',
    because: 'its agent says that eBPF is on',
  },
  {
    words: 'one that refuses has not fallen back where eBPF is not wanted',
    node: { log: says('refused') },
    plane: 'standard',
    because: 'its agent started without eBPF, as it says that kernel 6.1.0-13-amd64 cannot run eBPF',
  },
  {
    words: 'a node of its own configuration says whose it is',
    node: { felix: { ...byAll, decidedBy: 'FelixConfiguration node.w', differs: true } },
    plane: 'standard',
    because: 'its agent started without eBPF: FelixConfiguration node.w has eBPF off',
  },
])('$words: $plane', ({ node, plane, because }) => {
  expect(verdict(aNode(node), now)).toMatchObject({ plane, because });
});

test('eBPF is shown only where an agent said so, now or before', () => {
  const agents = [null, ready, replaced];
  const readings: LogReading[] = [
    { kind: 'not-read' },
    { kind: 'unreadable', because: 'x' },
    says('refused'),
    silent(),
    silent({ reachesBack: 'neither' }),
  ];
  for (const agent of agents)
    for (const one of readings)
      for (const wanted of ['bpf', 'standard', null] as const)
        for (const before of ['standard', null] as const)
          expect(
            verdict(aNode({ agent, log: one, felix: { ...byAll, wanted }, installationPlane: 'bpf', before }), now)
              .plane,
          ).not.toBe('bpf');
});
