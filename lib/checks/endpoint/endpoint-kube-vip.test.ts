import { expect, test } from 'vitest';
import type { Facts } from '#lib/facts/index.ts';
import { aFacts, type Overrides, uncover } from '../testing/a-facts.ts';
import { find } from '../testing/find.ts';

const id = 'endpoint.kube-vip';
type KubeVip = NonNullable<Facts['endpoint']['kubeVip']>;
const holding = (addresses: string[], usesOwnApiServer = false): Overrides<Facts> => ({
  endpoint: { kubeVip: { object: 'kube-system/DaemonSet/kube-vip-ds', addresses, usesOwnApiServer } satisfies KubeVip },
});
const dump: Overrides<Facts> = { resources: { endpointProbe: { because: 'from a dump nothing is dialled' } } };

test.each<[string, Overrides<Facts>, string, string]>([
  ['no kube-vip', {}, '10.0.0.100', 'pass'],
  ['its own address', holding(['10.0.0.100']), '10.0.0.100', 'fail'],
  ['its own address, IPv6', holding(['fd00:0::100']), 'fd00::100', 'fail'],
  ['its own address, and it uses its own API server', holding(['10.0.0.100'], true), '10.0.0.100', 'pass'],
  ['another address', holding(['10.0.0.200']), '10.0.0.100', 'pass'],
  ['a name that nothing resolved', { ...holding(['10.0.0.100']), ...dump }, 'api.prod.example', 'unknown'],
  ['its own name', holding(['vip.prod.example']), 'vip.prod.example', 'fail'],
])('%s', (_name, facts, host, expected) => {
  const finding = find(id, facts, { endpoint: { host, port: '6443' } });
  expect([finding.status, finding.severity]).toEqual([expected, 'warning']);
});

test('a name that leads to its address fails as well', () => {
  const { endpointProbe } = aFacts().resources;
  const resolved = {
    ...holding(['10.0.0.100']),
    resources: { endpointProbe: { ...endpointProbe, endpoint: { host: 'api.prod.example', port: 6443 } } },
  } as Overrides<Facts>;
  const finding = find(id, resolved, { endpoint: { host: 'api.prod.example', port: '6443' } });
  expect(finding.because).toBe(
    'The chosen endpoint "api.prod.example:6443" is the address that kube-vip holds (kube-system/DaemonSet/kube-vip-ds), and kube-vip reaches the API server through its Service.',
  );
});

test('in automatic mode it does not matter; unread pods make it unknown', () => {
  expect(find(id, {}, { endpoint: undefined, automatic: true }).status).toBe('skipped');
  expect(find(id, uncover(aFacts(), 'kubeVip')).status).toBe('unknown');
});
