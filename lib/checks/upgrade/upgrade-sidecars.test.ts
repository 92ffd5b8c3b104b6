import { expect, test } from 'vitest';
import { aFacts, uncover } from '../testing/a-facts.ts';
import { findUpgrading } from '../testing/an-upgrade.ts';
import { subjectLines } from '../testing/find.ts';

const id = 'upgrade.sidecars';
const carrying = (image: string, version: string | null) => ({
  upgrade: {
    sidecars: [
      { subject: { kind: 'Deployment', namespace: 'shop', name: 'cart', detail: `carries ${image}` }, image, version },
    ],
  },
});

test.each<[string, string | null, string]>([
  ['docker.io/calico/dikastes:v3.24.5', 'v3.24.5', 'fail'],
  ['quay.io/calico/dikastes:v3.31.4', 'v3.31.4', 'pass'],
  ['mirror.example/dikastes:latest', null, 'unknown'],
])('%s', (image, version, status) => {
  expect(findUpgrading(id, { facts: carrying(image, version) })).toMatchObject({ status, severity: 'info' });
});

test('the workload is named with the release of its sidecar', () => {
  const finding = findUpgrading(id, { facts: carrying('docker.io/calico/dikastes:v3.24.5', 'v3.24.5') });
  expect(finding.because).toBe('1 workload carries sidecars older than v3.31.4: cart (its sidecar is of v3.24.5).');
  expect(subjectLines(finding)).toEqual(['Deployment shop/cart: its sidecar is of v3.24.5']);
});

test('unread is unknown; without Calico it does not apply', () => {
  expect(findUpgrading(id, { facts: uncover(aFacts(), 'sidecars') }).status).toBe('unknown');
  expect(findUpgrading(id, { facts: { installation: { method: 'none' } } }).status).toBe('skipped');
});

test('where none was found, what was looked for is told', () => {
  const { because } = findUpgrading(id, { facts: { upgrade: { sidecars: [] } } });
  expect(because).toMatch(/has one in its template\. Those of another injector are not looked for\.$/);
});

test('a workload that could not be read is told on its own row', () => {
  const [row] = carrying('docker.io/calico/dikastes:v3.24.5', 'v3.24.5').upgrade.sidecars;
  const sidecars = row ? [row, { ...row, inTemplate: 'unknown' as const }] : [];
  expect(subjectLines(findUpgrading(id, { facts: { upgrade: { sidecars } } }))).toEqual([
    'Deployment shop/cart: its sidecar is of v3.24.5',
    'Deployment shop/cart: its sidecar is of v3.24.5; whether its own template has it, so that a restart keeps it, could not be read',
  ]);
});

test('a sidecar that a restart would keep is told so', () => {
  const [row] = carrying('docker.io/calico/dikastes:v3.24.5', 'v3.24.5').upgrade.sidecars;
  const finding = findUpgrading(id, { facts: { upgrade: { sidecars: row ? [{ ...row, inTemplate: true }] : [] } } });
  expect(subjectLines(finding)).toEqual([
    'Deployment shop/cart: its sidecar is of v3.24.5, in its own template: a restart keeps it',
  ]);
});
