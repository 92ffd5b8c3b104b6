import { expect, test } from 'vitest';
import type { Facts } from '#lib/facts/index.ts';
import { aFacts, type Overrides, uncover } from '../testing/a-facts.ts';
import { find } from '../testing/find.ts';

const id = 'install.non-privileged';
const withField = (nonPrivileged: string): Overrides<Facts> => ({
  resources: { objects: { 'Installation/default': { spec: { nonPrivileged } } } },
});

test.each<[string, Overrides<Facts>, string]>([
  ['not set', {}, 'pass'],
  ['Disabled', withField('Disabled'), 'pass'],
  ['Enabled', withField('Enabled'), 'fail'],
  ['by manifest', { installation: { method: 'manifest-kdd' } }, 'skipped'],
])('%s', (_name, facts, status) => {
  expect(find(id, facts).status).toBe(status);
});

test('an Installation that was not read is unknown', () => {
  expect(find(id, uncover(aFacts(), 'installation')).status).toBe('unknown');
});

test('what was chosen for an install counts', () => {
  const facts = { installation: { method: 'none' as const } };
  expect(find(id, facts, { goal: 'install', set: { nonPrivileged: 'Enabled' } }).status).toBe('fail');
});
