import fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatAddress, overlaps, parseCidr } from '#lib/base/ip.ts';
import type { Pool } from '../installation-spec.ts';
import { poolProblem, poolProblems } from './pool-problems.ts';
import type { PoolContext } from './pool-rules.ts';

const a = (cidr: string, others: Partial<Pool> = {}): Pool => ({ name: 'a', cidr, ...others });
const b = (cidr: string, others: Partial<Pool> = {}): Pool => ({ name: 'b', cidr, ...others });

const cases: readonly [string, readonly Pool[], PoolContext, string, RegExp][] = [
  ['no CIDR', [a('10.0.0.0/33')], {}, 'error ipPools.0.cidr', /"10.0.0.0\/33" is not a CIDR/],
  ['no prefix', [a('10.0.0.0')], {}, 'error ipPools.0.cidr', /is not a CIDR/],
  ['bits beyond the prefix', [a('10.1.2.0/16')], {}, 'error ipPools.0.cidr', /the network is 10\.1\.0\.0\/16/],
  ['name twice', [a('10.1.0.0/16'), a('10.2.0.0/16')], {}, 'error ipPools.1.name', /name a is used twice/],
  ['no name', [a('10.1.0.0/16', { name: 'My_Pool' })], {}, 'error ipPools.0.name', /"My_Pool" is not a name/],
  ['CIDR twice', [a('10.1.0.0/16'), b('10.1.0.0/16')], {}, 'error ipPools.1.cidr', /CIDR 10.1.0.0\/16 is used twice/],
  [
    'large blocks',
    [a('10.0.0.0/16', { blockSize: 19 })],
    {},
    'error ipPools.0.blockSize',
    /19 is not between 20 and 32/,
  ],
  ['IPv6 blocks', [a('fd00::/64', { blockSize: 26 })], {}, 'error ipPools.0.blockSize', /not between 116 and 128/],
  ['less than a block', [a('10.0.0.0/28')], {}, 'error ipPools.0.cidr', /smaller than a block of \/26/],
  ['overlap', [a('10.0.0.0/8'), b('10.4.0.0/16')], {}, 'error ipPools.1.cidr', /overlaps with pool a \(10.0.0.0\/8\)/],
  [
    'Services',
    [a('10.96.4.0/22')],
    { serviceCIDRs: ['10.96.0.0/12'] },
    'error ipPools.0.cidr',
    /Services' 10.96.0.0\/12/,
  ],
  [
    'the one address of a Service that is known',
    [a('10.100.0.0/16')],
    { serviceCIDRs: [], serviceAddresses: ['fd00::1', '10.100.0.1'] },
    'error ipPools.0.cidr',
    /holds 10.100.0.1, the address of Service default\/kubernetes/,
  ],
  [
    'nodes',
    [a('10.0.0.0/16')],
    {
      nodes: [
        { name: 'n1', addresses: ['10.0.0.11', 'n1'] },
        { name: 'n2', addresses: ['10.0.0.12'] },
      ],
    },
    'error ipPools.0.cidr',
    /10.0.0.11, an address of node n1 and 1 more/,
  ],
  ['loopback', [a('127.0.0.0/8')], {}, 'error ipPools.0.cidr', /loopback/],
  ['everything', [a('0.0.0.0/0')], {}, 'error ipPools.0.cidr', /multicast/],
  [
    'outside of podSubnet',
    [a('192.168.0.0/16')],
    { platformCIDRs: ['10.244.0.0/16'] },
    'error ipPools.0.cidr',
    /192.168.0.0\/16 is not within the platform's configured pod network, 10.244.0.0\/16/,
  ],
  [
    'outside of the controllers’ range',
    [a('192.168.0.0/16')],
    { podCIDRs: ['10.42.0.0/16'] },
    'warning ipPools.0.cidr',
    /not within 10.42.0.0\/16/,
  ],
  ['few blocks', [a('10.9.0.0/25')], { nodeCount: 3 }, 'warning ipPools.0.cidr', /holds 2 blocks of \/26 for 3 nodes/],
  [
    'mixed uses',
    [a('10.9.0.0/24', { allowedUses: ['LoadBalancer', 'Workload'] })],
    {},
    'error ipPools.0.allowedUses',
    /cannot be mixed/,
  ],
  [
    'wrapped LoadBalancer addresses',
    [a('10.9.0.0/24', { allowedUses: ['LoadBalancer'], encapsulation: 'VXLAN' })],
    {},
    'error ipPools.0.encapsulation',
    /VXLAN is not possible/,
  ],
  [
    'selector without Calico’s CNI',
    [a('10.9.0.0/24', { nodeSelector: 'has(gpu)' })],
    { cni: 'AmazonVPC' },
    'error ipPools.0.nodeSelector',
    /with AmazonVPC it must be all\(\)/,
  ],
];

test.each(cases)('%s', (_name, pools, around, place, words) => {
  const found = poolProblems(pools, around);
  expect(found.map(({ severity, path }) => `${severity} ${path.slice(1).join('.')}`)).toContain(place);
  const one = found.find(({ severity, path }) => `${severity} ${path.slice(1).join('.')}` === place && true);
  expect(found.map((each) => each.words).join('\n')).toMatch(words);
  expect(one?.sentence).toMatch(/^spec\.calicoNetwork\.ipPools\[\w+\]\.\w+: /);
});

test('a CIDR that cannot be read has that one problem', () => {
  expect(poolProblems([a('none', { blockSize: 1 })], { platformCIDRs: ['10.0.0.0/8'], nodeCount: 9 })).toHaveLength(1);
});

test('twenty-six pools are one too many', () => {
  const pools = Array.from({ length: 26 }, (_, index) => ({ name: `p${index}`, cidr: `10.${index}.0.0/16` }));
  expect(poolProblems(pools).map(({ words }) => words)).toEqual(['is one too many: 26 pools, 25 are possible.']);
});

test.each<[Pool[], PoolContext]>([
  [
    [a('192.168.0.0/16')],
    { serviceCIDRs: ['10.96.0.0/12'], nodes: [{ name: 'n', addresses: ['10.0.0.1', 'fd00::1'] }] },
  ],
  [
    [a('10.244.0.0/16'), b('fd00:10:244::/56')],
    { platformCIDRs: ['10.244.0.0/16', 'fd00:10:244::/56'], nodeCount: 500 },
  ],
  [[a('10.244.128.0/17')], { platformCIDRs: ['10.244.0.0/16'] }],
  [[a('10.9.0.0/24', { allowedUses: ['LoadBalancer'] })], { platformCIDRs: ['10.244.0.0/16'], nodeCount: 50 }],
  [[], { platformCIDRs: ['10.244.0.0/16'], nodeCount: 9 }],
])('%j has no problem', (pools, around) => {
  expect(poolProblems(pools, around)).toEqual([]);
});

test.each<[Pool[], PoolContext, string | null]>([
  [[a('10.0.0.0/16', { blockSize: 19 })], {}, 'IPPool a: blockSize 19 is not between 20 and 32.'],
  [[{ cidr: '10.0.0.0/28' }], {}, 'IPPool 10.0.0.0/28: 10.0.0.0/28 is smaller than a block of /26.'],
  [[a('10.1.0.0/16'), a('10.2.0.0/16')], {}, 'IPPool a: name a is used twice.'],
  // What only cuts pods off is nothing to the operator.
  [[a('10.0.0.0/8'), b('10.4.0.0/16')], { serviceCIDRs: ['10.96.0.0/12'] }, null],
])('the operator says of %j: %s', (pools, around, problem) => {
  expect(poolProblem(pools, around)).toBe(problem);
});

const octet = fc.nat(255);
const cidr = fc.tuple(octet, octet, octet, octet, fc.integer({ min: 8, max: 26 })).map(([w, x, y, z, prefix]) => {
  const range = parseCidr(`${w}.${x}.${y}.${z}/${prefix}`);
  return range ? `${formatAddress({ family: 4, value: range.first })}/${prefix}` : '10.0.0.0/8';
});

test('two pools without a problem never share an address, nor any with the Services', () => {
  fc.assert(
    fc.property(cidr, cidr, cidr, (first, second, services) => {
      const found = poolProblems([a(first), b(second)], { serviceCIDRs: [services] });
      fc.pre(found.every(({ severity }) => severity === 'warning'));
      const [one, other, third] = [first, second, services].map(parseCidr);
      if (!one || !other || !third) throw new Error('no CIDR');
      expect([overlaps(one, other), overlaps(one, third), overlaps(other, third)]).toEqual([false, false, false]);
    }),
  );
});
