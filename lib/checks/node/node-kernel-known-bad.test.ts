import { expect, test } from 'vitest';
import { aFacts, aNode, uncover } from '../testing/a-facts.ts';
import { felix } from '../testing/calico-objects.ts';
import { find, subjectLines } from '../testing/find.ts';

const id = 'node.kernel-known-bad';

test.each([
  ['6.12.53-1.amzn2023.x86_64', 'v3.31.2', 'fail'],
  ['6.12.53-1.amzn2023.x86_64', 'v3.31.3', 'pass'],
  ['6.12.52-1.amzn2023.x86_64', 'v3.31.2', 'pass'],
  ['6.17.5-200.fc42.x86_64', 'v3.29.6', 'fail'],
  ['6.17.5-200.fc42.x86_64', 'v3.29.7', 'pass'],
  ['6.17.5-200.fc42.x86_64', 'v3.30.4', 'fail'],
  ['6.13.7-arch1-1', 'v3.31.0', 'pass'],
  ['6.1.0-26-amd64', 'v3.26.4', 'fail'],
  ['6.1.102', 'v3.27.0', 'pass'],
  ['5.15.0-119-generic', 'v3.30.2', 'pass'],
  ['6.8.0-45-generic', 'v3.31.4', 'pass'],
  ['custom-build', 'v3.31.2', 'unknown'],
  ['custom-build', 'v3.31.4', 'pass'],
  ['', 'v3.31.2', 'unknown'],
])('%s with %s: %s', (kernel, version, expected) => {
  expect(find(id, { nodes: [aNode({ kernel })], installation: { version } }).status).toBe(expected);
});

test.each([
  ['Debug', 'fail'],
  ['Info', 'fail'],
  ['Off', 'pass'],
])('kernel 5.15 with v3.30 and bpfLogLevel %s: %s', (bpfLogLevel, expected) => {
  const facts = {
    nodes: [aNode({ kernel: '5.15.0-119-generic' })],
    installation: { version: 'v3.30.2' },
    resources: { objects: felix({ bpfLogLevel }) },
  };
  expect(find(id, facts).status).toBe(expected);
});

test('the nodes are named with the row that they meet, and what to do stands with it', () => {
  const finding = find(id, {
    nodes: [aNode(), aNode({ name: 'worker-2', kernel: '6.12.55-1.amzn2023.x86_64' })],
    installation: { version: 'v3.31.1' },
  });
  expect(finding).toMatchObject({ severity: 'blocking' });
  expect(finding.because).toBe(
    '1 of 2 nodes cannot run Calico v3.31.1 well: worker-2 (6.12.55-1.amzn2023.x86_64: V2). These kernels refuse the connect-time load balancer and the agent crashes: take a later release of Calico first.',
  );
  expect(subjectLines(finding)).toEqual(['Node worker-2: 6.12.55-1.amzn2023.x86_64: V2']);
});

test('an upgrade is judged by where it leads', () => {
  const facts = { nodes: [aNode({ kernel: '6.12.55' })], installation: { version: 'v3.31.4' } };
  expect(find(id, facts, { goal: 'upgrade', release: 'v3.30.2' }).status).toBe('fail');
  expect(find(id, facts, { goal: 'upgrade', release: 'v3.31.7' }).status).toBe('pass');
});

test('where the release cannot be told it is open for kernels that go wrong with some', () => {
  const unknown = { installation: { version: null } };
  expect(find(id, { ...unknown, nodes: [aNode({ kernel: '6.12.55' })] }).because).toContain(
    'the one to run is not settled',
  );
  expect(find(id, { ...unknown, nodes: [aNode({ kernel: '5.14.0-427.el9' })] }).status).toBe('pass');
});

test('an install without a release gets the one that is proposed; where no Calico runs there is nothing to enable', () => {
  const facts = aFacts({ nodes: [aNode({ kernel: '6.12.55' })], installation: { method: 'none', version: null } });
  expect(find(id, facts, { goal: 'install' }).status).toBe('pass');
  expect(find(id, facts, { goal: 'install', release: 'v3.31.1' }).status).toBe('fail');
  expect(find(id, facts).status).toBe('skipped');
});

test('the rare panic of older kernels is mentioned and stops nobody', () => {
  expect(find(id, { nodes: [aNode()] }).because).toContain('bpfDisableGROForIfaces');
  expect(find(id, { nodes: [aNode({ kernel: '6.17.1' })] }).because).toBe('None is.');
});

test('FelixConfiguration that was not read matters only where a kernel asks for it', () => {
  const on = (kernel: string) =>
    uncover(aFacts({ nodes: [aNode({ kernel })], installation: { version: 'v3.30.2' } }), 'felix');
  expect(find(id, on('6.8.0-45-generic')).status).toBe('pass');
  expect(find(id, on('5.15.0-119-generic')).status).toBe('unknown');
});

test('nodes that were not read are unknown', () => {
  expect(find(id, uncover(aFacts(), 'nodes')).status).toBe('unknown');
});
