import { expect, test } from 'vitest';
import type { Facts } from '#lib/facts/index.ts';
import { aFacts, type Overrides, uncover } from '../testing/a-facts.ts';
import { find } from '../testing/find.ts';

const id = 'network.vxlan-port';
const mke = (vxlanPort: number | undefined, version = 'v3.31.4', vxlanVNI?: number): Overrides<Facts> => ({
  platform: { kind: 'mke' },
  installation: { version },
  resources: { objects: { 'FelixConfiguration/default': { spec: { vxlanPort, vxlanVNI } } } },
});

test.each<[string, Overrides<Facts>, string]>([
  ['kubeadm', {}, 'skipped'],
  ['MKE with the port of its overlay', mke(4789), 'fail'],
  ['MKE with the other port', mke(8472), 'pass'],
  ['MKE, not set', mke(undefined), 'pass'],
  // No operator of that release writes a port, and VXLAN devices share one where their VNI differs.
  ['MKE with Calico v3.30, not set', mke(undefined, 'v3.30.3'), 'fail'],
  ["MKE with Calico v3.30 and MKE's own VNI", mke(4789, 'v3.30.3', 4096), 'fail'],
  ['MKE with Calico v3.30 and a VNI of its own', mke(undefined, 'v3.30.3', 10_000), 'pass'],
  ['MKE with Calico v3.30, the port set and a VNI of its own', mke(4789, 'v3.30.3', 10_000), 'pass'],
  ['MKE with Calico v3.31 and a VNI of its own', mke(4789, 'v3.31.0', 10_000), 'fail'],
])('%s', (_name, facts, status) => {
  expect(find(id, facts).status).toBe(status);
});

test('the port is opened before VXLAN traffic takes it', () => {
  const { steps } = find(id, mke(4789)).remedy;
  expect(steps[0]).toContain('Open UDP port 8472 between all nodes.');
  expect(steps[1]).toContain('in a maintenance window');
});

test('what was not read is unknown', () => {
  expect(find(id, uncover(aFacts(mke(8472)), 'felix')).status).toBe('unknown');
  expect(find(id, uncover(aFacts(mke(undefined)), 'installation')).status).toBe('unknown');
  const unrecognised = mke(undefined);
  const facts = { ...unrecognised, installation: { ...unrecognised.installation, method: 'unknown' } } as const;
  expect(find(id, facts).status).toBe('unknown');
});

const onEbpf = (vxlanPort: number | undefined, version: string, more: Overrides<Facts> = {}): Overrides<Facts> => {
  const ofMke = mke(vxlanPort, version);
  return { ...ofMke, installation: { version, dataplane: { wanted: 'BPF', actual: 'BPF' }, ...more.installation } };
};
const toV331 = { goal: 'upgrade', release: 'v3.31.4' } as const;

test.each<[string, Overrides<Facts>, string, RegExp | null]>([
  ['from v3.30, not set', onEbpf(undefined, 'v3.30.7'), 'fail', /sets vxlanPort to 8472/],
  ['from v3.30, with the port of the overlay', onEbpf(4789, 'v3.30.7'), 'fail', /which MKE needs itself/],
  ['from v3.30, with the other port', onEbpf(8472, 'v3.30.7'), 'pass', null],
  ['from v3.31, not set', onEbpf(undefined, 'v3.31.0'), 'pass', /leaves the port/],
  [
    'by manifest, where no operator sets it',
    onEbpf(undefined, 'v3.30.7', { installation: { method: 'manifest-kdd' } }),
    'fail',
    /sets no vxlanPort/,
  ],
  ['on the standard data plane', mke(undefined, 'v3.30.7'), 'skipped', null],
])('an upgrade of MKE %s', (_name, facts, status, because) => {
  const found = find(id, facts, toV331);
  expect(found.status).toBe(status);
  if (because) expect(found.because).toMatch(because);
});

test('an upgrade elsewhere, or one that ends before v3.31, moves no port', () => {
  expect(find(id, { ...onEbpf(undefined, 'v3.30.7'), platform: { kind: 'kubeadm' } }, toV331).status).toBe('skipped');
  const before = find(id, onEbpf(undefined, 'v3.29.7'), { goal: 'upgrade', release: 'v3.30.7' });
  expect(before.because).not.toContain('8472');
});
