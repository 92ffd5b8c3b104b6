import { expect, test } from 'vitest';
import { aFlow } from '#lib/flows/testing/a-flow.ts';
import { pairOfFlow, pairText, readPair } from './why-pair.ts';

const outside = { kind: 'network' as const, namespace: null, name: 'pub', labels: [] };

test.each([
  ['TCP', {}, 'shop/checkout → payments/ledger-db:5432'],
  ['UDP', { protocol: 'UDP', port: 53 }, 'shop/checkout → payments/ledger-db:53/udp'],
])('a flow of %s leads to its question, and the address back to it', (_, changed, text) => {
  const pair = pairOfFlow(aFlow(changed));
  expect(pair && pairText(pair)).toBe(text);
  expect(readPair(text)).toEqual(pair);
});

test.each([
  ['from outside', { from: outside }],
  ['to outside', { to: outside }],
  ['of ICMP', { protocol: 'ICMP', port: 0 }],
])('a flow %s leads to none', (_, changed) => {
  expect(pairOfFlow(aFlow(changed))).toBe(null);
});

test('an address that somebody changed is half a question', () => {
  expect(readPair('shop/checkout')).toEqual({ from: 'shop/checkout', to: '' });
});
