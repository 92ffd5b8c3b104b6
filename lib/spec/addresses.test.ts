import { expect, test } from 'vitest';
import { isInCidr, localRanges } from './addresses.ts';

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

test('every local range is a CIDR that holds its own network', () => {
  for (const { cidr } of localRanges) expect(isInCidr(cidr.split('/')[0] ?? '', cidr)).toBe(true);
});
