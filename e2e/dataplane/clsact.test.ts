import { join } from 'node:path';
import { afterAll, test as anyTest, beforeAll, expect } from 'vitest';
import {
  attachByClsact,
  type DataPlane,
  detachFromClsact,
  isInterfaceAttached,
  loadDataPlane,
} from '#lib/node/bpf/index.ts';
import { canRunPrograms } from './testing/can-run-programs.ts';
import { type Topology, topology } from './testing/topology.ts';
import { withinNetwork } from './testing/within-network.ts';

/** How programs are attached where the kernel has no tcx (before Linux 6.6): this one has both. */

const test = anyTest.runIf(canRunPrograms);

let net: Topology;
let plane: DataPlane;

beforeAll(() => {
  if (!canRunPrograms) return;
  net = topology(['node1'], []);
  plane = loadDataPlane({ pins: null });
});

afterAll(async () => {
  plane?.close();
  await net?.close();
});

const within = (act: () => void) => withinNetwork(net.namespace('node1'), act);
const tc = (...args: readonly string[]) => net.on('node1', 'tc', ...args);

test('what was made for our filters goes with them, and stays where somebody else has one', () => {
  const ifindex = net.ifindex('node1', 'eth0');
  const pin = join(net.bpffs, 'another');
  plane.libbpf.number('pin', 'pin a program', plane.programs.outgoing, pin);
  within(() => attachByClsact(plane, ifindex));
  expect(tc('qdisc', 'show', 'dev', 'eth0')).toContain('clsact');
  within(() => detachFromClsact(plane.libbpf, ifindex));
  expect(tc('qdisc', 'show', 'dev', 'eth0')).not.toContain('clsact');

  within(() => attachByClsact(plane, ifindex));
  tc('filter', 'add', 'dev', 'eth0', 'egress', 'prio', '9', 'bpf', 'da', 'object-pinned', pin);
  within(() => detachFromClsact(plane.libbpf, ifindex));
  expect(tc('filter', 'show', 'dev', 'eth0', 'ingress')).toBe('');
  expect(tc('filter', 'show', 'dev', 'eth0', 'egress')).toContain('pref 9 bpf');
  tc('qdisc', 'del', 'dev', 'eth0', 'clsact');
  within(() => detachFromClsact(plane.libbpf, ifindex));
});

test('where new programs cannot be attached in place of those of an earlier agent, packets keep the earlier ones', () => {
  const ifindex = net.ifindex('node1', 'eth0');
  const noProgram = { ...plane, programs: { ...plane.programs, outgoing: -1 } };
  within(() => {
    expect(() => attachByClsact(noProgram, ifindex)).toThrow('attach to interface');
  });
  expect(tc('qdisc', 'show', 'dev', 'eth0')).not.toContain('clsact');
  within(() => attachByClsact(plane, ifindex));
  within(() => {
    expect(() => attachByClsact(noProgram, ifindex)).toThrow('attach to interface');
  });
  for (const direction of ['ingress', 'egress'])
    expect(tc('filter', 'show', 'dev', 'eth0', direction)).toContain('pref 2 bpf');
  within(() => detachFromClsact(plane.libbpf, ifindex));
});

test('filters that somebody has taken away are missed', () => {
  const ifindex = net.ifindex('node1', 'eth0');
  const seen: boolean[] = [];
  const look = () =>
    within(() => void seen.push(isInterfaceAttached(plane.libbpf, { ifindex, pins: join(net.bpffs, 'none') })));
  look();
  within(() => attachByClsact(plane, ifindex));
  look();
  tc('filter', 'del', 'dev', 'eth0', 'egress');
  look();
  within(() => attachByClsact(plane, ifindex));
  look();
  tc('qdisc', 'del', 'dev', 'eth0', 'clsact');
  look();
  expect(seen).toEqual([false, true, false, true, false]);
});
