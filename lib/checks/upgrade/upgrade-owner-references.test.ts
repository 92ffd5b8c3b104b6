import { expect, test } from 'vitest';
import { aFacts, uncover } from '../testing/a-facts.ts';
import { findUpgrading } from '../testing/an-upgrade.ts';

const id = 'upgrade.owner-references';
const owned = {
  upgrade: {
    ownerReferences: [
      {
        kind: 'ConfigMap',
        namespace: 'shop',
        name: 'cart settings',
        detail: 'owned by NetworkPolicy/default.cart of projectcalico.org/v3',
      },
    ],
  },
};

test.each([
  ['v3.27.5', 'v3.31.4', owned, 'fail'],
  ['v3.24.5', 'v3.28.0', owned, 'fail'],
  ['v3.27.5', 'v3.31.4', {}, 'pass'],
  ['v3.28.0', 'v3.31.4', owned, 'skipped'],
  ['v3.24.5', 'v3.27.5', owned, 'skipped'],
])('%s to %s', (from, to, facts, status) => {
  expect(findUpgrading(id, { from, to, facts })).toMatchObject({ status, severity: 'blocking' });
});

test('each object is named with its owner, and the command shows the first', () => {
  const finding = findUpgrading(id, { from: 'v3.27.5', facts: owned });
  expect(finding.because).toBe(
    '1 object is owned by objects whose UID changes from v3.27.5 to v3.31.4: shop/cart settings.',
  );
  expect(finding.remedy.command).toBe("kubectl -n shop get configmap 'cart settings' -o yaml --show-managed-fields");
  expect(finding.evidence).toEqual([
    {
      object: 'shop/ConfigMap/cart settings',
      path: 'metadata.ownerReferences',
      value: 'owned by NetworkPolicy/default.cart of projectcalico.org/v3',
    },
  ]);
});

test('what was not looked at is unknown, but only where it matters', () => {
  const facts = uncover(aFacts(), 'ownerReferences');
  expect(findUpgrading(id, { from: 'v3.27.5', facts }).status).toBe('unknown');
  expect(findUpgrading(id, { from: 'v3.30.7', facts }).status).toBe('skipped');
});
