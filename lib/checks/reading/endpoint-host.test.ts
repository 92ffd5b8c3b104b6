import { expect, test } from 'vitest';
import { hostOf, parseEndpointHost, sameAddress } from './endpoint-host.ts';

test.each([
  ['10.0.0.1', { kind: 'ip', family: 4, text: '10.0.0.1' }],
  ['FD00:0:0:0::1', { kind: 'ip', family: 6, text: 'fd00::1' }],
  ['API.Example.com.', { kind: 'name', text: 'api.example.com' }],
])('%s is %j', (host, expected) => {
  expect(parseEndpointHost(host)).toEqual(expected);
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

test.each([
  ['10.0.0.1', '10.0.0.1', true],
  ['fd00::1', 'FD00:0::1', true],
  ['api.example.com', 'API.example.com.', true],
  ['10.0.0.1', '10.0.0.2', false],
  ['https://a', 'https://a', false],
])('%s and %s are the same address: %s', (left, right, expected) => {
  expect(sameAddress(left, right)).toBe(expected);
});
