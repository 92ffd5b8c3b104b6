import { expect, test } from 'vitest';
import { parseServerAddress } from './server-address.ts';

test.each([
  ['https://127.0.0.1:6443', true],
  ['https://127.1:6443', true],
  ['https://[::1]:6443', true],
  ['https://[::ffff:127.0.0.1]:6443', true],
  ['https://localhost:6443', true],
  ['https://127.example.com:6443', false],
  ['https://10.0.0.11:6443', false],
])('%s is on this machine: %s', (server, loopback) => {
  expect(parseServerAddress(server, 'https')).toMatchObject({ loopback });
});
