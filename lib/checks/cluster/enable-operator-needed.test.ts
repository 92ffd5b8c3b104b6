import { expect, test } from 'vitest';
import type { Facts } from '#lib/facts/index.ts';
import { aFacts, type Overrides, uncover } from '../testing/a-facts.ts';
import { find } from '../testing/find.ts';

test.each<[Overrides<Facts['installation']>, string]>([
  [{ method: 'operator' }, 'pass'],
  [{ method: 'helm' }, 'pass'],
  [{ method: 'manifest-kdd', manifest: 'calico' }, 'fail'],
  [{ method: 'manifest-kdd', manifest: 'canal' }, 'fail'],
  [{ method: 'manifest-etcd', manifest: null, datastore: 'etcd' }, 'fail'],
  [{ method: 'unknown' }, 'unknown'],
  [{ method: 'none' }, 'skipped'],
])('%j: %s', (installation, expected) => {
  expect(find('enable.operator-needed', { installation }).status).toBe(expected);
});

test('the manifest is named', () => {
  const installation = { method: 'manifest-kdd', manifest: 'calico-vxlan', namespace: 'kube-system' } as const;
  expect(find('enable.operator-needed', { installation }).because).toBe(
    'Calico was installed by the manifest calico-vxlan.yaml: there is no Installation that could be switched.',
  );
});

test('an unread installation is unknown', () => {
  expect(find('enable.operator-needed', uncover(aFacts(), 'installation')).status).toBe('unknown');
});
