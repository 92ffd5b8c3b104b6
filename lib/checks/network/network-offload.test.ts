import { expect, test } from 'vitest';
import { aFacts, aNode, uncover } from '../testing/a-facts.ts';
import { felix } from '../testing/calico-objects.ts';
import { find } from '../testing/find.ts';

const id = 'network.offload';
const upgrade = { goal: 'upgrade', release: 'v3.31.4' } as const;
const from = (version: string | null, providerID: string | null = null) => ({
  installation: { version },
  nodes: [aNode({ providerID })],
});

test.each([
  ['v3.27.5', 'vsphere://4237', 'fail'],
  ['v3.27.5', null, 'unknown'],
  ['v3.27.5', 'aws:///x/i-1', 'unknown'],
  ['v3.28.0', 'vsphere://4237', 'skipped'],
  ['v3.31.1', 'vsphere://4237', 'skipped'],
  [null, 'vsphere://4237', 'fail'],
])('from %s on %s: %s', (version, providerID, expected) => {
  expect(find(id, from(version, providerID), upgrade).status).toBe(expected);
});

test('an upgrade that ends before it does not do so either', () => {
  expect(find(id, from('v3.26.1', 'vsphere://1'), { goal: 'upgrade', release: 'v3.27.5' }).status).toBe('skipped');
});

test('without VXLAN, or with the override, there is nothing to spoil', () => {
  const facts = from('v3.27.5', 'vsphere://4237');
  expect(find(id, { ...facts, pools: [] }, upgrade).status).toBe('pass');
  const objects = felix({ featureDetectOverride: 'SNATFullyRandom=true,ChecksumOffloadBroken=true' });
  expect(find(id, { ...facts, resources: { objects } }, upgrade).status).toBe('pass');
});

test('machines of vSphere are named; others wait for a measurement', () => {
  const finding = find(id, from('v3.27.5', 'vsphere://4237'), upgrade);
  expect(finding).toMatchObject({ severity: 'warning', subjects: [{ kind: 'Node', name: 'worker-1' }] });
  expect(finding.because).toContain('The only node is a vSphere machine: worker-1.');
  expect(find(id, from('v3.27.5'), upgrade).notMeasured).toContain('network card');
});

test('what could not be read is unknown', () => {
  const facts = aFacts({ ...from('v3.27.5'), pools: [] });
  expect(find(id, uncover(facts, 'pools'), upgrade).status).toBe('unknown');
  expect(find(id, uncover(facts, 'installation'), upgrade).status).toBe('pass');
});
