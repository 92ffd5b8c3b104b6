import { expect, test } from 'vitest';
import { aFacts, uncover } from '../testing/a-facts.ts';
import { aDefinition, findUpgrading } from '../testing/an-upgrade.ts';

const id = 'upgrade.crd-client-side-applied';
const applied = (...bytes: (number | null)[]) => ({
  upgrade: { definitions: bytes.map((lastAppliedBytes) => aDefinition({ lastAppliedBytes })) },
});

test.each<[string, (number | null)[], string]>([
  ['none at all', [], 'pass'],
  ['applied on the server', [null, null], 'pass'],
  ['one by kubectl apply', [null, 31_000], 'fail'],
])('%s', (_name, bytes, status) => {
  expect(findUpgrading(id, { facts: applied(...bytes) })).toMatchObject({ status, severity: 'info' });
});

test('the largest says how near the limit is', () => {
  expect(findUpgrading(id, { facts: applied(31_000, 253_214) }).because).toBe(
    "2 definitions were applied by kubectl on the client's side; the largest copy has 253,214 of at most 262,144 bytes.",
  );
});

test('unread is unknown; without Calico it does not apply', () => {
  expect(findUpgrading(id, { facts: uncover(aFacts(), 'definitions') }).status).toBe('unknown');
  for (const method of ['none', 'manifest-etcd'] as const)
    expect(findUpgrading(id, { facts: { installation: { method } } }).status).toBe('skipped');
});
