import { expect, test } from 'vitest';
import { aFacts, uncover } from '../testing/a-facts.ts';
import { felix } from '../testing/calico-objects.ts';
import { find } from '../testing/find.ts';

const id = 'feature.host-ports';
const ingress = { kind: 'DaemonSet', namespace: 'ingress', name: 'nginx', detail: 'host port 80, 443' };
const using = (version: string | null, operatorVersion: string | null, spec: Record<string, unknown> = {}) => ({
  installation: { version, operatorVersion },
  features: { hostPorts: [ingress] },
  resources: { objects: felix(spec) },
});

test.each([
  ['v3.31.4', 'v1.40.7', {}, 'pass'],
  ['v3.30.0', 'v1.38.0', {}, 'pass'],
  ['v3.29.1', 'v1.36.2', {}, 'fail'],
  ['v3.29.1', 'v1.36.2', { bpfHostConntrackBypass: true }, 'fail'],
  ['v3.29.1', 'v1.36.2', { bpfHostConntrackBypass: false }, 'pass'],
  ['v3.26.1', 'v1.30.4', { bpfHostConntrackBypass: false }, 'fail'],
  [null, 'v1.40.7', {}, 'unknown'],
])('%s by operator %s with %o: %s', (version, operator, spec, expected) => {
  expect(find(id, using(version, operator, spec)).status).toBe(expected);
});

test('hostPorts that are to be Disabled break what asks for them, on any release', () => {
  const finding = find(id, using('v3.31.4', 'v1.40.7'), { set: { 'calicoNetwork.hostPorts': 'Disabled' } });
  expect(finding).toMatchObject({ status: 'fail', severity: 'warning', subjects: [ingress] });
  expect(finding.because).toBe(
    '1 workload asks for ports of the node, and the Installation is to have hostPorts Disabled: DaemonSet ingress/nginx.',
  );
});

test('where nobody asks for one it passes on any release', () => {
  expect(find(id, { installation: { version: 'v3.29.1' } }).because).toBe('No workload asks for a port of its node.');
});

test('pods that no workload made are a question where the release makes it one', () => {
  const otherPods = { count: 5, first: ['web/debug', 'web/job-1', 'web/job-2'] };
  expect(find(id, { features: { otherPods } }).status).toBe('pass');
  expect(find(id, { installation: { version: 'v3.29.1' }, features: { otherPods } })).toMatchObject({
    status: 'unknown',
    because:
      'No workload asks for a port of its node; whether the 5 pods that no workload made do is not read: web/debug, web/job-1 and web/job-2 and others.',
  });
});

test('workloads that were not read matter only where the release does', () => {
  const older = aFacts({ installation: { version: 'v3.29.1' } });
  expect(find(id, uncover(older, 'hostPorts')).status).toBe('unknown');
  expect(find(id, uncover(aFacts(), 'hostPorts')).status).toBe('pass');
  expect(find(id, uncover(aFacts(using('v3.31.4', 'v1.40.7')), 'installation')).status).toBe('unknown');
});
