import { expect, test } from 'vitest';
import { hostAndPort, hostOf, isInCidr, parseAddress, sameAddress } from './address.ts';

test.each([
  ['10.0.0.1', { kind: 'ip', family: 4, text: '10.0.0.1' }],
  ['FD00:0:0:0::1', { kind: 'ip', family: 6, text: 'fd00::1' }],
  ['API.Example.com.', { kind: 'name', text: 'api.example.com' }],
])('%s is %j', (host, expected) => {
  expect(parseAddress(host)).toEqual(expected);
});

test.each([
  ['10.0.0.1:6443', '10.0.0.1'],
  ['[fd00::1]:6443', 'fd00::1'],
  ['fd00::1', 'fd00::1'],
  ['api.example.com:6443', 'api.example.com'],
  ['10.0.0.1', '10.0.0.1'],
])('the host of %s is %s', (text, expected) => {
  expect(hostOf(text)).toBe(expected);
});

test('an IPv6 address is bracketed before its port', () => {
  expect(hostAndPort({ host: 'fd00::1', port: '6443' })).toBe('[fd00::1]:6443');
  expect(hostAndPort({ host: '10.0.0.1', port: '6443' })).toBe('10.0.0.1:6443');
});

test.each([
  ['10.0.0.1', '10.0.0.1', true],
  ['fd00::1', 'FD00:0::1', true],
  ['api.example.com', 'API.example.com.', true],
  ['10.0.0.1', '10.0.0.2', false],
  ['https://a', 'https://a', false],
])('%s and %s are the same address: %s', (left, right, expected) => {
  expect(sameAddress(left, right)).toBe(expected);
});

test.each([
  ['10.96.0.1', '10.96.0.0/12', true],
  ['10.112.0.1', '10.96.0.0/12', false],
  ['fd00::5', 'fd00::/112', true],
  ['10.0.0.1', '0.0.0.0/0', true],
  ['10.0.0.1', 'fd00::/112', false],
  ['10.0.0.1', '10.0.0.0/33', false],
  ['10.0.0.1', '10.0.0.0', false],
  ['10.0.0.1', 'nonsense', false],
  ['api.example.com', '10.0.0.0/8', false],
])('%s lies in %s: %s', (ip, cidr, expected) => {
  expect(isInCidr(ip, cidr)).toBe(expected);
});
