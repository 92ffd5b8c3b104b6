import { expect, test } from 'vitest';
import { find } from '../testing/find.ts';

test.each([
  ['10.0.0.100', '6443', 'pass'],
  ['api.example.com', '6443', 'pass'],
  ['proxy.local', '6444', 'pass'],
  ['localhost.example.com', '6443', 'pass'],
  ['localhost', '7445', 'fail'],
  ['LOCALHOST', '6443', 'fail'],
  ['localhost.localdomain', '6443', 'fail'],
  ['node.localhost', '6443', 'fail'],
  ['127.0.0.1', '6443', 'fail'],
  ['127.1.2.3', '6443', 'fail'],
  ['::1', '6443', 'fail'],
  ['::ffff:127.0.0.1', '6443', 'fail'],
  ['169.254.169.254', '80', 'fail'],
  ['fe80::1', '6443', 'fail'],
  ['0.0.0.0', '6443', 'fail'],
  ['::', '6443', 'fail'],
])('%s:%s: %s', (host, port, expected) => {
  expect(find('endpoint.not-local', {}, { endpoint: { host, port } }).status).toBe(expected);
});

test("Talos' KubePrism is called by its name", () => {
  expect(find('endpoint.not-local', {}, { endpoint: { host: 'localhost', port: '7445' } }).because).toBe(
    'The chosen endpoint "localhost:7445" is a name for loopback (Talos\' KubePrism).',
  );
});
