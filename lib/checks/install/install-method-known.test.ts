import { expect, test } from 'vitest';
import type { Facts } from '#lib/facts/index.ts';
import { aFacts, type Overrides, uncover } from '../testing/a-facts.ts';
import { find } from '../testing/find.ts';

test.each<[Overrides<Facts['installation']>, string]>([
  [{ method: 'operator' }, 'pass'],
  [{ method: 'helm' }, 'pass'],
  [{ method: 'manifest-kdd' }, 'pass'],
  [{ method: 'manifest-etcd', datastore: 'etcd' }, 'pass'],
  [{ method: 'operator', datastore: null }, 'fail'],
  [{ method: 'unknown', datastore: null }, 'fail'],
  [{ method: 'none', datastore: null }, 'fail'],
])('%j: %s', (installation, expected) => {
  expect(find('install.method-known', { installation }).status).toBe(expected);
});

test('a cluster without Calico is told so', () => {
  const finding = find(
    'install.method-known',
    { installation: { method: 'none', datastore: null } },
    { goal: 'upgrade' },
  );
  expect(finding.because).toBe('Calico is not installed on this cluster: there is nothing to upgrade.');
});

test('what could not be read is unknown', () => {
  const facts = uncover(aFacts({ installation: { method: 'unknown', datastore: null } }), 'installation');
  expect(find('install.method-known', facts).status).toBe('unknown');
});

const both = ['kube-system/DaemonSet/calico-node', 'calico-system/DaemonSet/calico-node'];

test.each([
  ['two nodes wait', { waiting: 2, migrated: 4, agents: both }, 'fail', /2 of 6 nodes wait\./],
  ['no label yet, both agents', { waiting: 0, migrated: 0, agents: both }, 'fail', /has not ended\. The/],
  ['all wait, one agent', { waiting: 1, migrated: 0, agents: [] }, 'fail', /1 of 1 node waits\./],
  ['only the labels of a move that ended', { waiting: 0, migrated: 6, agents: [] }, 'pass', /by the operator/],
] as const)('a move from a manifest to the operator: %s', (_name, { agents, ...labels }, status, words) => {
  const migration = { ...labels, agents: [...agents], evidence: [] };
  for (const goal of ['enable', 'upgrade'] as const) {
    const finding = find('install.method-known', { installation: { migration } }, { goal });
    expect([finding.status, finding.because]).toEqual([status, expect.stringMatching(words)]);
  }
});

test('whether a move is on its way has to be known', () => {
  expect(find('install.method-known', uncover(aFacts(), 'unfinished')).status).toBe('unknown');
});
