import { expect, test } from 'vitest';
import type { Facts } from '#lib/facts/index.ts';
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

test('a Role whose name is a flag of kubectl stands behind its kind', () => {
  const role = { kind: 'Role', namespace: 'shop', name: '--server=evil.example', detail: 'owned by IPPool/a' };
  const { remedy } = findUpgrading(id, { from: 'v3.27.5', facts: { upgrade: { ownerReferences: [role] } } });
  expect(remedy.command).toBe('kubectl -n shop get role/--server=evil.example -o yaml --show-managed-fields');
});

test('what was not looked at is unknown, but only where it matters', () => {
  const facts = uncover(aFacts(), 'ownerReferences');
  expect(findUpgrading(id, { from: 'v3.27.5', facts }).status).toBe('unknown');
  expect(findUpgrading(id, { from: 'v3.30.7', facts }).status).toBe('skipped');
});

const resource = { group: '', version: 'v1', kind: 'ConfigMap', plural: 'configmaps', namespaced: true };
const references = [{ apiVersion: 'projectcalico.org/v3', kind: 'NetworkPolicy', name: 'default.cart', uid: 'a' }];
const dependants = [{ resource, namespace: 'shop', name: 'cart settings', uid: 'b', references, writers: [] }];
const known = { upgrade: { ...owned.upgrade, dependants } };
const by = (method: Facts['installation']['method'], manifest: Facts['installation']['manifest'] = null) =>
  aFacts({ ...known, installation: { method, manifest } });
const served = (v3Available: boolean | null) => aFacts({ ...known, resources: { apis: { v3Available } } });

test.each([
  [
    'by the operator the plan holds the three steps',
    by('operator'),
    'info',
    /^Nothing has to be done: the plan removes/,
  ],
  ['by Helm too', by('helm'), 'info', /^Nothing has to be done: the plan removes/],
  ['by manifest too', by('manifest-kdd', 'calico'), 'info', /^Nothing has to be done: the plan removes/],
  ['nobody knows who put it there, so nothing is planned', by('unknown'), 'blocking', /^Before the upgrade, remove/],
  ['nothing would tell the new UIDs', served(null), 'blocking', /^Let Calico's own API answer first/],
  ['nothing tells them now', served(false), 'blocking', /^Let Calico's own API answer first/],
  ['not all were seen', uncover(aFacts(known), 'ownerReferences'), 'blocking', /^Grant the right to list/],
])('%s', (_what, facts, severity, step) => {
  const finding = findUpgrading(id, { from: 'v3.27.5', facts });
  expect(finding).toMatchObject({ status: 'fail', severity });
  expect(finding.remedy.steps[0]).toMatch(step);
});
