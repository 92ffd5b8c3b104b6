import { BlockList, isIPv4, isIPv6 } from 'node:net';
import fc from 'fast-check';
import ipaddr from 'ipaddr.js';
import { expect, test } from 'vitest';
import {
  type Address,
  type Cidr,
  cidrOfAddress,
  contains,
  coveringRange,
  type Family,
  formatAddress,
  formatCidr,
  hostAndPort,
  isInCidr,
  overlaps,
  parseAddress,
  parseCidr,
} from './ip.ts';

function cidr(text: string): Cidr {
  const parsed = parseCidr(text);
  if (parsed === null) throw new Error(`${text} is no CIDR`);
  return parsed;
}

const address = fc.oneof<fc.Arbitrary<Address>[]>(
  fc.bigInt({ min: 0n, max: (1n << 32n) - 1n }).map((value) => ({ family: 4 as const, value })),
  fc.bigInt({ min: 0n, max: (1n << 128n) - 1n }).map((value) => ({ family: 6 as const, value })),
  // Runs of zeros, which RFC 5952 shortens.
  fc
    .array(fc.constantFrom(0n, 0n, 1n, 0xffffn), { minLength: 8, maxLength: 8 })
    .map((groups) => ({ family: 6 as const, value: groups.reduce<bigint>((sum, group) => (sum << 16n) + group, 0n) })),
);
const range = fc
  .tuple(address, fc.nat(128))
  .map(([one, prefix]) => cidr(`${formatAddress(one)}/${one.family === 4 ? prefix % 33 : prefix}`));

test.each([
  ['::ffff:10.0.0.1', '::ffff:a00:1'],
  ['::10.0.0.1', '::a00:1'],
  ['::127.0.0.1', '::7f00:1'],
  ['2001:db8::192.0.2.33', '2001:db8::c000:221'],
])('%s is %s, as Go reads it', (text, plain) => {
  expect(parseAddress(text)).toEqual(parseAddress(plain));
});

test('what is written is read again as the same address, and Node takes it for one', () => {
  fc.assert(
    fc.property(address, (one) => {
      const text = formatAddress(one);
      expect(one.family === 4 ? isIPv4(text) : isIPv6(text), text).toBe(true);
      expect(parseAddress(text)).toEqual(one);
    }),
  );
});

test('what is IPv4 is what Node takes for it', () => {
  const text = fc.array(fc.constantFrom('0', '1', '9', '10', '00', '01', '255', '256', '300', '1000', '', ' 1', 'a'), {
    minLength: 3,
    maxLength: 5,
  });
  fc.assert(
    fc.property(text, (octets) => {
      const one = octets.join('.');
      expect(parseAddress(one)?.family ?? null, one).toBe(isIPv4(one) ? 4 : null);
    }),
    { numRuns: 2000 },
  );
  for (const one of ['1.2.3.4.', '.1.2.3.4', '1.2.3.4\n', '1.2..4', '٣.2.3.4', '1.2.3.-4', '1.2.3.4/8'])
    expect(parseAddress(one), one).toBeNull();
});

test('whether an address is in a range is what Node says', () => {
  fc.assert(
    fc.property(address, range, (one, outer) => {
      const family = (of: Family) => (of === 4 ? 'ipv4' : 'ipv6');
      const list = new BlockList();
      const [base = ''] = formatCidr(outer).split('/');
      list.addSubnet(base, outer.prefix, family(outer.family));
      // Node counts IPv4 in IPv4-mapped IPv6 as well; to Calico those are two families.
      fc.pre(one.family === outer.family);
      expect(contains(outer, cidrOfAddress(one))).toBe(list.check(formatAddress(one), family(one.family)));
    }),
  );
});

test('two ranges overlap only when one holds the other, whichever comes first', () => {
  fc.assert(
    fc.property(range, range, (left, right) => {
      expect(overlaps(left, right)).toBe(contains(left, right) || contains(right, left));
      expect(overlaps(left, right)).toBe(overlaps(right, left));
      expect(contains(left, left)).toBe(true);
    }),
  );
});

test('nothing that Node refuses is an address', () => {
  const text = fc.oneof(
    fc.string(),
    fc.string({ unit: fc.constantFrom('0', '1', 'f', ':', '.', '::', '255', '256'), maxLength: 12 }),
  );
  fc.assert(
    fc.property(text, (one) => {
      if (parseAddress(one) !== null) expect(isIPv4(one) || isIPv6(one), one).toBe(true);
    }),
    { numRuns: 2_000 },
  );
});

test.each([
  ['10.1.2.3/16', '10.1.0.0/16'],
  ['0.0.0.0/0', '0.0.0.0/0'],
  ['FD00:0:0:1::/64', 'fd00:0:0:1::/64'],
  ['2001:db8:0:0:1:0:0:1/128', '2001:db8::1:0:0:1/128'],
  ['::ffff:10.0.0.1/128', '::ffff:a00:1/128'],
  ['fd00:1:2:3:4:5:0:6/127', 'fd00:1:2:3:4:5:0:6/127'],
  ['::/0', '::/0'],
])('%s is %s', (given, written) => {
  expect(formatCidr(cidr(given))).toBe(written);
});

test.each([
  '',
  '10.0.0.0',
  '10.0.0.0/',
  '10.0.0.0/33',
  '10.0.0.0/08',
  '10.0.0/16',
  '010.0.0.0/8',
  '10.0.0.256/32',
  'fd00::/129',
  'fd00:::/64',
  'fd00::1::/64',
  'fe80::1%eth0/64',
  '1:2:3:4:5:6:7::8/64',
  ' 10.0.0.0/8',
  '10.0.0.0/8/8',
  'x/8',
])('%j is no CIDR', (text) => {
  expect(parseCidr(text)).toBeNull();
});

test.each([
  ['10.96.0.1', '10.96.0.0/12', true],
  ['10.112.0.1', '10.96.0.0/12', false],
  ['fd00::5', 'fd00::/112', true],
  ['10.0.0.1', '0.0.0.0/0', true],
  ['::ffff:127.0.0.1', '127.0.0.0/8', true],
  ['10.0.0.1', 'fd00::/112', false],
  ['10.0.0.1', '10.0.0.0/33', false],
  ['10.0.0.1', '10.0.0.0', false],
  ['10.0.0.1', 'nonsense', false],
  ['api.example.com', '10.0.0.0/8', false],
])('%s lies in %s: %s', (ip, cidr, expected) => {
  expect(isInCidr(ip, cidr)).toBe(expected);
});

test.each<[string[], 4 | 6, string | null]>([
  [['192.168.0.0/24'], 4, '192.168.0.0/24'],
  [['192.168.0.0/24', '192.168.5.0/24'], 4, '192.168.0.0/21'],
  [['10.0.0.0/24', '10.255.0.0/24'], 4, '10.0.0.0/8'],
  [['0.0.0.0/24', '255.0.0.0/24'], 4, '0.0.0.0/0'],
  [['10.0.0.7/24'], 4, '10.0.0.0/24'],
  [['fd00:10:244::/64', 'fd00:10:244:5::/64'], 6, 'fd00:10:244::/61'],
  [['fd00::1/128', '192.168.0.0/24'], 6, 'fd00::1/128'],
  [['nonsense', '10.0.0.0/33', '10.0.0.0'], 4, null],
  [['fd00::/64'], 4, null],
  [[], 4, null],
])('%j, IPv%i: %s', (cidrs, family, expected) => {
  expect(coveringRange(cidrs, family)).toBe(expected);
});

test.each([
  ['10.0.0.0/8', '10.1.0.0/16', true],
  ['10.1.0.0/16', '10.0.0.0/8', false],
  ['0.0.0.0/0', '192.168.0.0/16', true],
  ['::/0', '192.168.0.0/16', false],
  ['fd00::/8', 'fd00:10:244::/56', true],
])('%s contains %s: %s', (outer, inner, expected) => {
  expect(contains(cidr(outer), cidr(inner))).toBe(expected);
});

test('an IPv6 address is bracketed before its port', () => {
  expect(hostAndPort({ host: 'fd00::1', port: '6443' })).toBe('[fd00::1]:6443');
  expect(hostAndPort({ host: '10.0.0.1', port: '6443' })).toBe('10.0.0.1:6443');
});

test.each([
  ['::ffff:010.0.0.1', 'octets have no leading zeros'],
  ['::ffff:0x7f.0.0.1', 'octets are decimal'],
  ['fe80::1%eth0', 'a zone means something on one machine only'],
])('%s is no address to Go (%s), though the library takes it', (text) => {
  expect(ipaddr.isValid(text)).toBe(true);
  expect(parseAddress(text)).toBeNull();
});
