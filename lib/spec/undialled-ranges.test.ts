import { expect, test } from 'vitest';
import { isInCidr } from '#lib/base/ip.ts';
import { canonicalAddress, undialledRange, undialledRanges } from './undialled-ranges.ts';

test.each([
  ['127.0.0.1', /loopback/],
  ['127.255.255.254', /loopback/],
  ['::1', /loopback/],
  ['0:0:0:0:0:0:0:1', /loopback/],
  ['::ffff:127.0.0.1', /loopback/],
  ['::ffff:7f00:1', /loopback/],
  ['::127.0.0.1', /loopback/],
  ['::ffff:0:127.0.0.1', /loopback/],
  ['64:ff9b::127.0.0.1', /loopback/],
  ['64:ff9b::7f00:1', /loopback/],
  ['2002:7f00:1::', /loopback/],
  ['169.254.0.1', /link-local/],
  ['fe80::1', /link-local/],
  ['fe80::1%eth0', /link-local/],
  ['febf::1', /link-local/],
  ['169.254.169.254', /metadata/],
  ['::ffff:169.254.169.254', /metadata/],
  ['64:ff9b::a9fe:a9fe', /metadata/],
  ['2002:a9fe:a9fe::1', /metadata/],
  ['fd00:ec2::254', /metadata/],
  ['fd00:ec2::23', /metadata/],
  ['fd20:ce::254', /metadata/],
  ['100.100.100.200', /metadata/],
  ['168.63.129.16', /metadata/],
  ['0.0.0.0', /unspecified/],
  ['0.1.2.3', /unspecified/],
  ['::', /unspecified/],
  ['::ffff:0.0.0.0', /unspecified/],
  ['224.0.0.1', /multicast/],
  ['239.255.255.255', /multicast/],
  ['ff02::1', /multicast/],
  ['255.255.255.255', /broadcast/],
  ['64:ff9b:1::7f00:1', /NAT64/],
  ['2001:0:1:2::3', /Teredo/],
])('%s is left alone', (ip, is) => {
  expect(undialledRange(ip)?.is).toMatch(is);
});

test.each([
  '10.0.0.1',
  '172.18.0.2',
  '192.168.1.1',
  '100.64.0.1',
  '198.18.0.10',
  '203.0.113.7',
  'fd00::1',
  '2001:db8::1',
  '::ffff:10.0.0.1',
  '64:ff9b::10.0.0.1',
  '2002:a00:1::',
])('%s may be dialled', (ip) => {
  expect(undialledRange(ip)).toBeNull();
});

test('every range is a CIDR that holds its own network', () => {
  for (const { cidr } of undialledRanges)
    expect([cidr, isInCidr(cidr.split('/')[0] ?? '', cidr)]).toEqual([cidr, true]);
});

test.each([
  ['127.0.0.1', '127.0.0.1'],
  ['::ffff:127.0.0.1', '127.0.0.1'],
  ['FD00:0:0::1', 'fd00::1'],
  ['fe80::1%eth0', 'fe80::1'],
  ['api.example', null],
  ['2130706433', null],
])('%s is written %s', (ip, text) => {
  expect(canonicalAddress(ip)).toBe(text);
});
