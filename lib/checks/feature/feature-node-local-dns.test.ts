import { expect, test } from 'vitest';
import type { NodeLocalDnsCache } from '#lib/facts/index.ts';
import { aFacts, uncover } from '../testing/a-facts.ts';
import { find, subjectLines } from '../testing/find.ts';

const id = 'feature.node-local-dns';
const cache = {
  kind: 'DaemonSet',
  namespace: 'kube-system',
  name: 'node-local-dns',
  detail: 'k8s-dns-node-cache:1.23.0',
};
type Service = NodeLocalDnsCache['services'][number];
const dns = (given: Partial<Service> = {}): Service => ({
  object: 'kube-system/Service/kube-dns',
  addresses: ['10.96.0.10'],
  bound: true,
  asked: false,
  isAnnotated: false,
  isInCidrs: false,
  ...given,
});
const upstream = (given: Partial<Service> = {}): Service =>
  dns({ object: 'kube-system/Service/kube-dns-upstream', bound: false, asked: true, ...given });
const running = (
  services: Service[],
  version: string | null = 'v3.31.4',
  binds: string[] | null = ['169.254.20.10'],
) => ({
  features: {
    nodeLocalDns: [cache],
    nodeLocalDnsCaches: [{ object: 'kube-system/DaemonSet/node-local-dns', binds, services, evidence: [] }],
  },
  installation: { version },
});

const leavingOut = (...cidrs: string[]) => ({
  resources: {
    objects: {
      'FelixConfiguration/default': {
        apiVersion: 'crd.projectcalico.org/v1',
        kind: 'FelixConfiguration',
        metadata: { name: 'default' },
        spec: { bpfExcludeCIDRsFromNAT: cidrs },
      },
    },
  },
});

test.each<[string, Service[], string | null, string, string | undefined]>([
  ['a link-local address alone', [], 'v3.31.4', 'pass', 'service.nat-exclude'],
  [
    'a link-local address, and asks kube-dns',
    [dns({ bound: false, asked: true })],
    'v3.31.4',
    'pass',
    'service.nat-exclude',
  ],
  ['a link-local address, on a release without the annotation', [], 'v3.20.0', 'pass', 'service.nat-exclude'],
  ['the address of kube-dns', [dns()], 'v3.31.4', 'fail', 'service.nat-exclude'],
  ['the address of kube-dns, and asks another', [dns(), upstream()], 'v3.31.4', 'fail', 'service.nat-exclude'],
  [
    "the address of RKE2's Service",
    [dns({ object: 'kube-system/Service/rke2-coredns-rke2-coredns' })],
    'v3.31.4',
    'fail',
    'service.nat-exclude',
  ],
  ['a Service with the annotation', [dns({ isAnnotated: true })], 'v3.31.4', 'pass', 'service.nat-exclude'],
  [
    'a Service with the annotation, which the release does not read',
    [dns({ isAnnotated: true })],
    'v3.27.5',
    'fail',
    undefined,
  ],
  ['a Service in bpfExcludeCIDRsFromNAT', [dns({ isInCidrs: true })], 'v3.27.5', 'pass', 'service.nat-exclude'],
  [
    'a Service with both marks, on a release that reads one',
    [dns({ isAnnotated: true, isInCidrs: true })],
    'v3.27.5',
    'pass',
    'service.nat-exclude',
  ],
  ['a Service on an older release', [dns()], 'v3.27.5', 'fail', undefined],
  ['the Service that it asks', [dns({ asked: true })], 'v3.31.4', 'fail', undefined],
  [
    'one Service, while the one that it asks is left out',
    [dns({ isAnnotated: true }), upstream({ isAnnotated: true })],
    'v3.31.4',
    'fail',
    undefined,
  ],
  [
    'nothing of a Service, while the one that it asks is left out',
    [upstream({ isInCidrs: true })],
    'v3.31.4',
    'fail',
    undefined,
  ],
])('binds %s', (_name, services, version, status, autofix) => {
  const finding = find(id, running(services, version));
  expect(finding).toMatchObject({ status, severity: 'blocking' });
  expect(finding.remedy.autofix).toBe(autofix);
});

test.each([
  [running([dns()], 'v3.27.5'), /^kubectl patch .*"bpfExcludeCIDRsFromNAT":\["10.96.0.10\/32"\]/],
  [
    running([upstream({ isAnnotated: true })]),
    /^kubectl annotate -n kube-system service kube-dns-upstream projectcalico.org\/natExcludeService-$/,
  ],
  [running([dns()], 'v3.27.1'), /^$/],
  [
    {
      ...running([upstream({ addresses: ['10.96.7.7'], isInCidrs: true })]),
      ...leavingOut('10.96.0.0/16', '10.9.0.0/24'),
    },
    /"bpfExcludeCIDRsFromNAT":\["10.9.0.0\/24"\]/,
  ],
  [
    {
      ...running([
        dns({ isInCidrs: true }),
        upstream({ addresses: ['10.96.7.7'], isInCidrs: true, isAnnotated: true }),
      ]),
      ...leavingOut('10.96.0.0/16'),
    },
    /^kubectl annotate .*natExcludeService-\nkubectl patch .*"bpfExcludeCIDRsFromNAT":\["10.96.0.10\/32"\]/,
  ],
])('a step without a fix has its command', (facts, command) => {
  expect(find(id, facts).remedy.command ?? '').toMatch(command);
});

test('the cache and the Service are named', () => {
  const finding = find(id, running([dns()]));
  expect(finding.because).toBe(
    'NodeLocal DNSCache (kube-system/node-local-dns) binds the address of Service kube-system/kube-dns, which eBPF would translate.',
  );
  expect(subjectLines(finding)).toEqual([
    'DaemonSet kube-system/node-local-dns: k8s-dns-node-cache:1.23.0',
    'Service kube-system/kube-dns: 10.96.0.10, which the cache binds',
  ]);
});

test('where it binds is not known, nothing is said of a Service', () => {
  const finding = find(id, running([], 'v3.31.4', null));
  expect(finding.status).toBe('unknown');
  expect(finding.remedy.command).toBe('kubectl get daemonset -n kube-system node-local-dns -o yaml');
});

test('without a cache it passes, whatever else is known', () => {
  expect(find(id, uncover(aFacts(), 'installation')).status).toBe('pass');
  expect(find(id, uncover(aFacts(), 'nodeLocalDns')).status).toBe('unknown');
});

test('a mark is worth nothing where the release is not known', () => {
  const marked = running([dns({ isAnnotated: true })], null);
  expect(find(id, marked).status).toBe('unknown');
  expect(find(id, marked, { goal: 'install' }).status).toBe('pass');
  expect(find(id, uncover(aFacts(marked), 'nodeLocalDns')).status).toBe('unknown');
});
