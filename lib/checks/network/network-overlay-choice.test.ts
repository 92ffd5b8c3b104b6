import { expect, test } from 'vitest';
import type { Facts } from '#lib/facts/index.ts';
import { aFacts, uncover } from '../testing/a-facts.ts';
import { find } from '../testing/find.ts';

const pool = (encapsulation: Facts['pools'][number]['encapsulation']) => ({
  name: `pool-${encapsulation.toLowerCase()}`,
  cidr: '192.168.0.0/16',
  encapsulation,
  natOutgoing: true,
  disabled: false,
});

test.each([
  ['None', 'pass'],
  ['VXLAN', 'pass'],
  ['VXLANCrossSubnet', 'pass'],
  ['IPIP', 'fail'],
  ['IPIPCrossSubnet', 'fail'],
] as const)('%s: %s', (encapsulation, expected) => {
  expect(find('network.overlay-choice', { pools: [pool('None'), pool(encapsulation)] }).status).toBe(expected);
});

test('the pool and its CIDR are named', () => {
  expect(find('network.overlay-choice', { pools: [pool('IPIP')] }).because).toBe(
    '1 IP pool uses IPIP: pool-ipip (192.168.0.0/16 with IPIP). VXLAN or no overlay performs better.',
  );
});

test('unread pools are unknown', () => {
  expect(find('network.overlay-choice', uncover(aFacts({ pools: [] }), 'pools')).status).toBe('unknown');
});
