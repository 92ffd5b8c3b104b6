import { expect, test } from 'vitest';
import type { Facts } from '#lib/facts/index.ts';
import { aFacts, aNode, type Overrides, uncover } from '../testing/a-facts.ts';
import { felix } from '../testing/calico-objects.ts';
import { find, subjectLines } from '../testing/find.ts';

const id = 'feature.traffic-limits';
type Limited = Facts['features']['trafficLimits'][number];
const pod = (...limits: Limited['limits']): Limited => ({
  kind: 'Pod',
  namespace: 'shop',
  name: 'checkout-1',
  detail: 'kubernetes.io/ingress-bandwidth 10M',
  limits,
});
const on = (version: string | null, kernels: readonly string[], ...limits: Limited['limits']): Overrides<Facts> => ({
  installation: { version },
  nodes: kernels.map((kernel, at) => aNode({ name: `worker-${at + 1}`, kernel })),
  features: { trafficLimits: [pod(...limits)] },
});
const recent = '6.8.0-45-generic';
const older = '5.15.0-119-generic';

test.each<[string | null, readonly string[], Limited['limits'][number], string, string?]>([
  ['v3.31.4', [recent], 'bandwidth-plugin', 'pass'],
  ['v3.31.4', ['6.6.0'], 'bandwidth', 'pass'],
  [
    'v3.31.4',
    [recent, older],
    'bandwidth-plugin',
    'fail',
    'bandwidth: kernel 6.6 is needed, and worker-2 has an older one',
  ],
  ['v3.31.4', [recent, ''], 'bandwidth', 'unknown'],
  // RHEL 9.4 has TCX in its 5.14.0; RHEL 9.2 and Oracle's 5.15 have not.
  ['v3.31.4', ['5.14.0-427.42.1.el9_4.x86_64', recent], 'bandwidth', 'pass'],
  [
    'v3.31.4',
    ['5.14.0-284.30.1.el9_2.x86_64'],
    'bandwidth',
    'fail',
    'bandwidth: kernel 6.6 is needed, and worker-1 has an older one',
  ],
  [
    'v3.31.4',
    ['5.15.0-205.149.5.1.el9uek.x86_64'],
    'bandwidth',
    'fail',
    'bandwidth: kernel 6.6 is needed, and worker-1 has an older one',
  ],
  ['v3.31.4', [older], 'packet-rate', 'pass'],
  ['v3.31.4', [recent], 'connections', 'fail', 'number of connections'],
  ['v3.30.2', [recent], 'bandwidth-plugin', 'fail', 'bandwidth'],
  ['v3.30.2', [recent], 'packet-rate', 'fail', 'packet rate'],
  ['v3.29.1', [recent], 'bandwidth-plugin', 'fail', 'bandwidth: no network beside the bandwidth plugin'],
  // Calico did not read its own annotations before v3.30, so nothing is lost.
  ['v3.29.1', [recent], 'bandwidth', 'pass'],
  ['v3.29.1', [recent], 'connections', 'pass'],
  [null, [recent], 'bandwidth', 'unknown'],
])('%s on %o, %s: %s', (version, kernels, limit, status, detail) => {
  const finding = find(id, on(version, kernels, limit));
  expect(finding.status).toBe(status);
  if (detail !== undefined) expect(subjectLines(finding)).toEqual([`Pod shop/checkout-1: ${detail}`]);
});

test('traffic control in place of TCX limits nothing', () => {
  const facts = on('v3.31.4', [recent], 'bandwidth');
  const resources = { objects: felix({ bpfAttachType: 'TC' }) };
  expect(find(id, { ...facts, resources }).because).toBe(
    '1 pod has a limit that eBPF mode of Calico v3.31.4 does not hold (bandwidth: bpfAttachType is TC, TCX is needed): shop/checkout-1.',
  );
});

test('without a limit neither release nor kernel matters; without the pods nothing passes', () => {
  expect(find(id, { installation: { version: null } }).because).toBe('No pod limits its traffic.');
  expect(find(id, uncover(aFacts(), 'trafficLimits')).status).toBe('unknown');
  expect(find(id, uncover(aFacts(on('v3.31.4', [recent], 'bandwidth')), 'nodes')).status).toBe('unknown');
});
