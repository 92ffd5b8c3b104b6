import { expect, test } from 'vitest';
import type { Facts } from '#lib/facts/index.ts';
import { aFacts, anotherNetwork, type Overrides, uncover } from '../testing/a-facts.ts';
import { find, subjectLines } from '../testing/find.ts';

const id = 'network.other-product';
type Other = Facts['installation']['otherNetworks'][number];
const beside = (product: string, settings: Partial<Other> = {}): Overrides<Facts> => ({
  installation: {
    otherNetworks: [anotherNetwork(product, `kube-system/DaemonSet/${product.toLowerCase()}`, settings)],
  },
});
const calicoIsAway = { method: 'none', version: null, cni: null, agent: null } as const;

test.each<[string, Overrides<Facts>, string | null, string]>([
  ['nothing', {}, null, 'pass'],
  [
    'kube-router that serves Services',
    beside('kube-router', { connects: false, serves: true }),
    'serves Services',
    'fail blocking',
  ],
  [
    'kube-router whose flags cannot be read',
    beside('kube-router', { connects: null, serves: null }),
    'connects pods; not verified whether it serves Services',
    'fail warning',
  ],
  [
    'kube-router for policy alone',
    beside('kube-router', { connects: false, serves: false }),
    'filters packets in iptables',
    'fail warning',
  ],
  ['Cilium, chained', beside('Cilium', { connects: false }), 'attaches eBPF programs of its own', 'fail blocking'],
  [
    'Cilium, chained, in the place of kube-proxy',
    beside('Cilium', { connects: false, serves: true }),
    'serves Services and attaches eBPF programs of its own',
    'fail blocking',
  ],
  [
    'Cilium, chained, in the place of kube-proxy on some nodes',
    beside('Cilium', { connects: false, serves: true, servesOn: { nodes: 3, of: 14 } }),
    'serves Services on 3 of 14 nodes and attaches eBPF programs of its own',
    'fail blocking',
  ],
  ['Flannel', beside('Flannel'), 'connects pods', 'fail warning'],
  [
    'Antrea',
    beside('Antrea', { serves: null }),
    'connects pods; not verified whether it serves Services',
    'fail warning',
  ],
  ['the network of EKS beside Calico as the network', beside('Amazon VPC CNI'), 'connects pods', 'fail warning'],
])('%s', (_name, facts, detail, expected) => {
  const finding = find(id, facts);
  expect(finding.status === 'fail' ? `fail ${finding.severity}` : finding.status).toBe(expected);
  expect(finding.subjects.map((one) => one.detail)).toEqual(detail === null ? [] : [detail]);
});

test('a network beside which Calico works for policy is none of that', () => {
  const facts = beside('Amazon VPC CNI');
  expect(find(id, { installation: { ...facts.installation, cni: 'AmazonVPC' } }).status).toBe('pass');
});

test('one beside which Calico works for policy is in the way where it enforces policy by programs of its own', () => {
  const facts = beside('Amazon VPC CNI', { attaches: true });
  const installation = { ...facts.installation, cni: 'AmazonVPC' };
  const finding = find(id, { installation });
  expect([finding.status, finding.severity]).toEqual(['fail', 'blocking']);
  expect(finding.remedy.steps[0]).toContain('`--enable-network-policy=false`');
  const install = { goal: 'install', set: { 'cni.type': 'AmazonVPC' } } as const;
  expect(find(id, { installation: { ...installation, ...calicoIsAway } }, install).status).toBe('fail');
  // With Calico's own network the plan deletes it.
  const own = { ...install, set: { 'cni.type': 'Calico' } };
  expect(find(id, { installation: { ...installation, ...calicoIsAway } }, own).status).toBe('pass');
});

test('before an installation, only what connects no pods: the others are in its way as a network', () => {
  const install = { goal: 'install' } as const;
  const at = (settings: Partial<Other>) => {
    const { installation } = beside('kube-router', settings);
    return { installation: { ...calicoIsAway, ...installation } };
  };
  const proxyOnly = at({ connects: false, serves: true });
  expect(find(id, proxyOnly, install).status).toBe('fail');
  expect(find('install.nothing-there', proxyOnly, install).status).toBe('pass');
  const router = at({ connects: true, serves: true });
  expect(find(id, router, install).status).toBe('pass');
  expect(find('install.nothing-there', router, install).status).toBe('fail');
});

test('kube-proxy comes before what serves in its place goes, and nothing is asked of a kube-proxy that there is none of', () => {
  const facts: Overrides<Facts> = {
    ...beside('kube-router', { connects: false, serves: true }),
    proxy: { kind: 'unknown', running: true, mode: 'unknown', pods: null },
  };
  const finding = find(id, facts);
  expect(subjectLines(finding)).toEqual(['DaemonSet kube-system/kube-router: serves Services']);
  expect(finding.remedy.steps).toEqual([
    'Start kube-proxy in iptables mode first: nothing else serves Services from here to the switch.',
    'Set `--run-service-proxy=false` in the arguments of kube-router (`kubectl edit -n kube-system daemonset kube-router`).',
    'Restart the nodes one at a time: what kube-router left on them is gone only then.',
    'Check again.',
  ]);
  for (const other of ['proxy.not-ipvs', 'proxy.no-double-management', 'proxy.health-port'])
    expect(find(other, facts).status).toBe('skipped');
  for (const other of ['proxy.detected', 'proxy.gone-without-bpf']) expect(find(other, facts).status).toBe('pass');
});

test('without the list of DaemonSets nothing passes', () => {
  expect(find(id, uncover(aFacts(), 'otherNetworks')).status).toBe('unknown');
});
