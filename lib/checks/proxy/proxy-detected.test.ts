import { expect, test } from 'vitest';
import type { Facts } from '#lib/facts/index.ts';
import { aFacts, uncover } from '../testing/a-facts.ts';
import { find } from '../testing/find.ts';

test.each<[Facts['proxy']['kind'], string]>([
  ['daemonset', 'pass'],
  ['openshift', 'pass'],
  ['embedded', 'pass'],
  ['static-pods', 'pass'],
  ['none', 'pass'],
  ['unknown', 'fail'],
])('%s: %s', (kind, expected) => {
  expect(find('proxy.detected', { proxy: { kind } })).toMatchObject({ status: expected, severity: 'warning' });
});

test('what could not be read is unknown, not a proxy of an unknown kind', () => {
  expect(find('proxy.detected', uncover(aFacts({ proxy: { kind: 'unknown' } }), 'proxy')).status).toBe('unknown');
});
