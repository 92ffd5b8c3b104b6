import { expect, test } from 'vitest';
import { splitAddress } from './split-address.ts';

test.each([
  ['https://10.0.0.100:6443/', { host: '10.0.0.100', port: '6443' }],
  ['https://api.example.com', { host: 'api.example.com', port: '443' }],
  [' api.example.com:6443\n', { host: 'api.example.com', port: '6443' }],
  ['[fd00::1]:6443', { host: 'fd00::1', port: '6443' }],
  ['https://[fd00::1]:6443', { host: 'fd00::1', port: '6443' }],
  ['[fd00::1]', { host: 'fd00::1', port: '' }],
  ['api.example.com', null],
  ['fd00::1', null],
  ['https://', null],
  ['what is this: 12', null],
])('%j pasted is %j', (text, parts) => {
  expect(splitAddress(text)).toEqual(parts);
});
