import { expect, test } from 'vitest';
import type { Facts } from '#lib/facts/index.ts';
import { aFacts, type Overrides, uncover } from '../testing/a-facts.ts';
import { find } from '../testing/find.ts';

const id = 'network.vxlan-port';
const mke = (vxlanPort: number | undefined): Overrides<Facts> => ({
  platform: { kind: 'mke' },
  resources: { objects: { 'FelixConfiguration/default': { spec: { vxlanPort } } } },
});

test.each<[string, Overrides<Facts>, string]>([
  ['kubeadm', {}, 'skipped'],
  ['MKE with the port of its overlay', mke(4789), 'fail'],
  ['MKE with the other port', mke(8472), 'pass'],
  ['MKE, not set', mke(undefined), 'pass'],
])('%s', (_name, facts, status) => {
  expect(find(id, facts).status).toBe(status);
});

test('the port is opened before VXLAN traffic takes it', () => {
  const { steps } = find(id, mke(4789)).remedy;
  expect(steps[0]).toContain('Open UDP port 8472 between all nodes first');
  expect(steps[1]).toContain('in a maintenance window');
});

test('what was not read is unknown', () => {
  expect(find(id, uncover(aFacts(mke(8472)), 'felix')).status).toBe('unknown');
});
