import { expect, test } from 'vitest';
import { parseHostPort, parseServer, whyNoEndpoint, whyNotFromHere } from './host-port.ts';

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

const cluster = { clusterIPs: ['fd00:10:96::1'], serviceCIDRs: ['10.96.0.0/12', 'fd00:10:96::/112'] };
const everywhere = ['10.0.0.1', '192.168.1.1', 'api.example.org', 'fd00::1'];
const ofServices = ['10.100.0.1', 'fd00:10:96::9', 'fd00:10:96::1'];
const nodesKnow = ['localhost', 'x.local', 'kubernetes.default.svc'];
const local = ['127.0.0.5', '::1', '0.0.0.0', '169.254.169.254', 'fe80::1', '::ffff:127.0.0.1'];

test('an address that means something else here than on the nodes is not dialled from here', () => {
  const refused = (host: string) => whyNotFromHere({ host, port: 443 }, cluster) !== null;
  expect([...ofServices, ...nodesKnow].filter((host) => !refused(host))).toEqual([]);
  // Whether a local address may be dialled is the probe's to say, which knows where the kubeconfig's own server is.
  expect([...everywhere, ...local].filter(refused)).toEqual([]);
});

test.each(['FD00:10:96:0::1', 'fd00:10:96::1'])(
  '%s is the ClusterIP in whatever notation, also while no range of Services is known',
  (host) => {
    for (const clusterIP of ['fd00:10:96::1', 'fd00:0010:0096::1'])
      expect(whyNotFromHere({ host, port: 443 }, { clusterIPs: [clusterIP], serviceCIDRs: [] })).toBe(
        `${host} is the address of a Service`,
      );
  },
);

test('an address of a Service, of a hosts file or of the machine itself is no endpoint', () => {
  const refused = (host: string) => whyNoEndpoint({ host, port: 443 }, cluster) !== null;
  expect([...ofServices, ...nodesKnow, ...local].filter((host) => !refused(host))).toEqual([]);
  expect(everywhere.filter(refused)).toEqual([]);
});
