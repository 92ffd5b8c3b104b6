import { expect, test } from 'vitest';
import { aFacts, uncover } from '../testing/a-facts.ts';
import { find } from '../testing/find.ts';

const id = 'feature.source-ranges';
const shop = (...sourceRanges: string[]) => ({ loadBalancers: [{ namespace: 'web', name: 'shop', sourceRanges }] });

test.each([
  [[], 'pass'],
  [['203.0.113.0/24'], 'fail'],
  [['203.0.113.0/24', '192.168.0.0/16'], 'pass'],
  [['0.0.0.0/0'], 'pass'],
  [['192.168.1.0/24'], 'fail'],
  [['2001:db8::/32'], 'pass'],
  [['the office'], 'unknown'],
])('%o, with pods in 192.168.0.0/16: %s', (ranges, expected) => {
  expect(find(id, { features: shop(...ranges) }).status).toBe(expected);
});

test('the Service is named with its ranges and the addresses that are missing', () => {
  expect(find(id, { features: shop('203.0.113.0/24') })).toMatchObject({
    severity: 'warning',
    because: '1 load balancer lets no pods in: shop (203.0.113.0/24, without 192.168.0.0/16).',
    subjects: [{ kind: 'Service', namespace: 'web', name: 'shop' }],
  });
});

test('pools that an install is to make count; without any on a running cluster it is unknown', () => {
  const before = {
    features: shop('203.0.113.0/24'),
    pools: [],
    resources: { objects: { 'Installation/default': null } },
  };
  expect(find(id, before).status).toBe('unknown');
  expect(find(id, before, { goal: 'install' }).because).toContain('without 192.168.0.0/16');
  const installation = { calicoNetwork: { ipPools: [{ cidr: '10.244.0.0/16' }, 'nonsense', null] } };
  expect(find(id, before, { goal: 'install', installation }).status).toBe('fail');
});

test('what could not be read is unknown', () => {
  expect(find(id, uncover(aFacts(), 'loadBalancers')).status).toBe('unknown');
  expect(find(id, uncover(aFacts(), 'pools')).status).toBe('pass');
  expect(find(id, uncover(aFacts({ features: shop('0.0.0.0/0') }), 'pools')).status).toBe('unknown');
});
