import { expect, test } from 'vitest';
import type { Facts } from '#lib/facts/index.ts';
import { aFacts, type Overrides, uncover } from './testing/a-facts.ts';
import { find } from './testing/find.ts';

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
