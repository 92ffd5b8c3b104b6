import { expect, test } from 'vitest';
import { isInCidr, parseHostPort, parseServer, whyNotDialled } from './host-port.ts';

test.each([
  ['10.0.0.1:6443', { host: '10.0.0.1', port: 6443 }],
  ['api.example.org', { host: 'api.example.org', port: 443 }],
  ['[fd00::1]:6443', { host: 'fd00::1', port: 6443 }],
  ['fd00::1', { host: 'fd00::1', port: 443 }],
  ['10.0.0:6443', null],
  ['https://x', null],
  ['a b', null],
  ['x:99999', null],
  ['', null],
])('%s', (text, expected) => {
  expect(parseHostPort(text, 443)).toEqual(expected);
});

test('a server with and without its scheme; one with a path is something before the API server', () => {
  expect(parseServer('https://api.example.org/')).toEqual({ host: 'api.example.org', port: 443 });
  expect(parseServer('api.example.org:8443')).toEqual({ host: 'api.example.org', port: 8443 });
  expect(parseServer('https://rancher.example.org/k8s/clusters/c-1')).toBeNull();
  expect(parseServer('rancher.example.org:8443/k8s')).toBeNull();
  expect(parseServer('http://x')).toBeNull();
  expect(parseServer(null)).toBeNull();
});

test('what is not dialled', () => {
  const cluster = { clusterIPs: ['fd00:10:96::1'], serviceCIDRs: ['10.96.0.0/12', 'fd00:10:96::/112'] };
  const refused = (host: string) => whyNotDialled({ host, port: 443 }, cluster) !== null;
  expect(
    [
      '127.0.0.5',
      '::1',
      '0.0.0.0',
      '169.254.169.254',
      'fe80::1',
      'localhost',
      'x.local',
      '10.100.0.1',
      'fd00:10:96::9',
      '::ffff:127.0.0.1',
    ].filter((host) => !refused(host)),
  ).toEqual([]);
  expect(['10.0.0.1', '192.168.1.1', 'api.example.org', 'fd00::1'].filter(refused)).toEqual([]);
});

test('CIDRs that are none', () => {
  expect(isInCidr('10.0.0.1', '10.0.0.0/33')).toBe(false);
  expect(isInCidr('10.0.0.1', 'nonsense')).toBe(false);
  expect(isInCidr('10.0.0.1', 'fd00::/8')).toBe(false);
  expect(isInCidr('10.1.2.3', '10.0.0.0/8')).toBe(true);
});
