import { expect, test } from 'vitest';
import { Secret } from '../secret.ts';
import { proxyFor } from './proxy.ts';
import { parseServerAddress } from './server-address.ts';

test.each([
  ['https://api.example:6443', {}, null],
  ['https://api.example:6443', { HTTPS_PROXY: 'http://p:3128' }, 'p:3128'],
  ['https://api.example:6443', { https_proxy: 'p:3128' }, 'p:3128'],
  ['https://api.example:6443', { HTTP_PROXY: 'http://p:3128' }, null],
  ['http://api.example', { HTTP_PROXY: 'http://p:3128' }, 'p:3128'],
  ['http://api.example', { HTTP_PROXY: 'http://p:3128', REQUEST_METHOD: 'GET' }, null],
  ['https://127.0.0.1:6443', { HTTPS_PROXY: 'http://p:3128' }, null],
  ['https://localhost:6443', { HTTPS_PROXY: 'http://p:3128' }, null],
  ['https://[::1]:6443', { HTTPS_PROXY: 'http://p:3128' }, null],
  ['https://api.example:6443', { HTTPS_PROXY: 'http://p:3128', NO_PROXY: '*' }, null],
  ['https://api.example:6443', { HTTPS_PROXY: 'http://p:3128', NO_PROXY: 'example' }, null],
  ['https://api.example:6443', { HTTPS_PROXY: 'http://p:3128', no_proxy: '.example' }, null],
  ['https://example:6443', { HTTPS_PROXY: 'http://p:3128', NO_PROXY: '.example' }, 'p:3128'],
  ['https://badexample:6443', { HTTPS_PROXY: 'http://p:3128', NO_PROXY: 'example' }, 'p:3128'],
  ['https://api.example:6443', { HTTPS_PROXY: 'http://p:3128', NO_PROXY: '*.example' }, null],
  ['https://api.example:6443', { HTTPS_PROXY: 'http://p:3128', NO_PROXY: 'api.example:443' }, 'p:3128'],
  ['https://api.example:6443', { HTTPS_PROXY: 'http://p:3128', NO_PROXY: 'other, api.example:6443' }, null],
  ['https://10.1.2.3:6443', { HTTPS_PROXY: 'http://p:3128', NO_PROXY: '10.0.0.0/8' }, null],
  ['https://10.1.2.3:6443', { HTTPS_PROXY: 'http://p:3128', NO_PROXY: '10.1.2.3' }, null],
  ['https://11.1.2.3:6443', { HTTPS_PROXY: 'http://p:3128', NO_PROXY: '10.0.0.0/8' }, 'p:3128'],
  ['https://[fd00::7]:6443', { HTTPS_PROXY: 'http://p:3128', NO_PROXY: 'fd00::/16' }, null],
])('%s with %j goes through %s', (address, env, label) => {
  const server = parseServerAddress(address, 'https');
  expect(server && (proxyFor(server, null, env)?.label ?? null)).toBe(label);
});

test('proxy-url wins over the environment, also on loopback, and keeps its password out of the label', () => {
  const server = parseServerAddress('https://127.0.0.1:6443', 'https');
  const proxy = server && proxyFor(server, new Secret('socks5://u:p%40ss@s.example'), { NO_PROXY: '*' });
  expect(proxy).toMatchObject({ kind: 'socks5', port: 1080, label: 's.example:1080', user: { password: 'p@ss' } });
});

test('what is no proxy is refused without quoting it', () => {
  const server = parseServerAddress('https://h', 'https');
  expect(() => server && proxyFor(server, new Secret('ftp://u:hush@h'), {})).toThrow(
    /^(?!.*hush).*http, https or socks5/,
  );
});

test.each([
  ['h:6443', 'https://h:6443', ''],
  ['https://h/k8s/clusters/c-xyz/', 'https://h', '/k8s/clusters/c-xyz'],
  ['http://h', 'http://h', ''],
])('server %s', (text, origin, prefix) => {
  expect(parseServerAddress(text, 'https')).toMatchObject({ origin, prefix });
});

test.each(['ftp://h', 'https://', 'https://u:p@h', 'https://h/?x=1', 'https://h/#x'])('server %s is none', (text) => {
  expect(parseServerAddress(text, 'https')).toBeNull();
});
