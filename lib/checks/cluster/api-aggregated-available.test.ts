import { expect, test } from 'vitest';
import type { Facts } from '#lib/facts/index.ts';
import type { Goal } from '#lib/spec/index.ts';
import { aFacts, type Overrides, uncover } from '../testing/a-facts.ts';
import { find } from '../testing/find.ts';

const id = 'api.aggregated-available';
const missing = 'endpoints for service/calico-api in "calico-system" have no addresses with port name "apiserver"';
const away: Overrides<Facts> = { resources: { apis: { v3Available: false }, v3Unavailable: missing } };

test.each<[string, Overrides<Facts>, string]>([
  ['available', {}, 'pass'],
  ['away', away, 'fail'],
  ['away, without a word', { resources: { apis: { v3Available: false }, v3Unavailable: null } }, 'fail'],
  ['not registered', { resources: { apis: { v3Available: null } } }, 'skipped'],
])('%s', (_name, facts, expected) => {
  expect(find(id, facts).status).toBe(expected);
});

test.each<[Goal, string]>([
  ['enable', 'warning'],
  ['upgrade', 'blocking'],
])('%s: %s', (goal, severity) => {
  expect(find(id, away, { goal }).severity).toBe(severity);
});

test('it says what the API server says', () => {
  expect(find(id, away).because).toBe(`v3.projectcalico.org is registered and not available: ${missing}.`);
});

test('a registration that was not read is unknown, also where none was found', () => {
  expect(find(id, uncover(aFacts({ resources: { apis: { v3Available: null } } }), 'apis')).status).toBe('unknown');
  expect(find(id, uncover(aFacts(), 'apis')).status).toBe('unknown');
});
