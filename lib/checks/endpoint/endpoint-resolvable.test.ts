import { expect, test } from 'vitest';
import type { Facts } from '#lib/facts/index.ts';
import type { Choices } from '#lib/spec/index.ts';
import { aFacts, type Overrides, uncover } from '../testing/a-facts.ts';
import { find } from '../testing/find.ts';

const id = 'endpoint.resolvable';
const at = (host: string): Partial<Choices> => ({ endpoint: { host, port: '6443' } });

type Probe = Exclude<Facts['resources']['endpointProbe'], { because: string }>;
function seen(host: string, name: Probe['name']): Overrides<Facts> {
  const { endpointProbe } = aFacts().resources;
  return { resources: { endpointProbe: { ...(endpointProbe as Probe), endpoint: { host, port: 6443 }, name } } };
}
const inDns: Probe['name'] = {
  resolved: true,
  addresses: ['198.18.0.10'],
  by: 'dns',
  records: [{ type: 'A', address: '198.18.0.10', ttlSeconds: 60 }],
  aliases: ['lb.example.net'],
};
const name = 'api.prod.example';

test.each<[string, string, Overrides<Facts>, string]>([
  ['an address', '10.0.0.100', {}, 'pass'],
  ['an IPv6 address', 'fd00::1', {}, 'pass'],
  ['a name in DNS', name, seen(name, inDns), 'pass'],
  ['a name that only the hosts file has', name, seen(name, { ...inDns, by: 'machine', records: [] }), 'fail'],
  ['a name while DNS is silent', name, seen(name, { ...inDns, by: 'undecided', records: [] }), 'unknown'],
  ['no such name from here', name, seen(name, { resolved: false, because: 'no such name' }), 'unknown'],
  [
    'nothing was dialled',
    name,
    { resources: { endpointProbe: { because: 'from a dump nothing is dialled' } } },
    'unknown',
  ],
  ['sealos', 'apiserver.cluster.local', {}, 'fail'],
  ['kubespray', 'lb-apiserver.kubernetes.local', {}, 'fail'],
  ['the Service', 'kubernetes.default.svc', {}, 'fail'],
  ['single label', 'k8s-master', {}, 'fail'],
  ['in capitals, with the final dot', 'API.CLUSTER.LOCAL.', {}, 'fail'],
  ['a zone that only looks like it', 'api.notlocal', seen('api.notlocal', inDns), 'pass'],
  ['MKE', 'proxy.local', { platform: { kind: 'mke' } }, 'pass'],
  ['proxy.local elsewhere', 'proxy.local', {}, 'fail'],
  ['kind', 'kind-control-plane', { platform: { kind: 'kind' } }, 'pass'],
  ['no host at all', 'https://x', {}, 'unknown'],
])('%s', (_name, host, facts, expected) => {
  const finding = find(id, facts, at(host));
  expect([finding.status, finding.severity]).toEqual([expected, 'warning']);
});

test('it tells the records, the aliases and how long they are kept', () => {
  expect(find(id, seen(name, inDns), at(name)).because).toBe(
    'DNS has api.prod.example: 198.18.0.10, over lb.example.net, kept for 60 seconds.',
  );
});

test('what waits for the nodes says how it will be measured', () => {
  const finding = find(id, { resources: { endpointProbe: { because: 'a dump' } } }, at(name));
  expect(finding.notMeasured).toContain('on each node');
  expect(finding.because).toMatch(/^Not tested: /);
});

test('in automatic mode there is none to resolve', () => {
  expect(find(id, {}, { endpoint: undefined, automatic: true }).status).toBe('skipped');
});

test('a proposal that is not accepted can fail and not pass', () => {
  const suggested = { host: 'k8s-master', port: 6443, because: 'kubeadm was given it', doubts: [] };
  expect(find(id, { endpoint: { suggested } }, { endpoint: undefined }).status).toBe('fail');
  const fine = { ...suggested, host: '10.0.0.100' };
  expect(find(id, { endpoint: { suggested: fine } }, { endpoint: undefined }).status).toBe('unknown');
});

test('MKE that was not read is not taken for MKE', () => {
  const facts = uncover(aFacts({ platform: { kind: 'mke' } }), 'platform');
  expect(find(id, facts, at('proxy.local')).status).toBe('unknown');
});
