import { expect, test } from 'vitest';
import type { Facts } from '#lib/facts/index.ts';
import type { Choices } from '#lib/spec/index.ts';
import { aFacts, anotherNetwork, type Overrides, uncover } from '../testing/a-facts.ts';
import { find, subjectLines } from '../testing/find.ts';

const id = 'install.nothing-there';
type Installation = Overrides<Facts['installation']>;
const none: Installation = {
  method: 'none',
  version: null,
  datastore: null,
  cni: null,
  namespace: null,
  agent: null,
  operators: [],
  dataplane: { wanted: null, actual: 'unknown' },
};
const network = (product: string, object: string): Installation => ({
  ...none,
  otherNetworks: [anotherNetwork(product, object)],
});
const awsNode = network('Amazon VPC CNI', 'kube-system/DaemonSet/aws-node');
const operatorAt = (namespace: string) => ({
  object: `${namespace}/Deployment/tigera-operator`,
  version: 'v1.40.7',
  active: null,
});
/** Nothing that a document could be taken from. */
const unread: Overrides<Facts> = { resources: { objects: { 'Installation/default': null } } };
const install: Partial<Choices> = { goal: 'install' };

test.each<[string, Installation, Overrides<Facts>, Partial<Choices>, string]>([
  ['an empty cluster', none, {}, {}, 'pass'],
  ['flannel', network('Flannel', 'kube-flannel/DaemonSet/kube-flannel-ds'), {}, {}, 'fail blocking'],
  ['Cilium', network('Cilium', 'kube-system/DaemonSet/cilium'), {}, {}, 'fail blocking'],
  ['kindnet', network('kindnet', 'kube-system/DaemonSet/kindnet'), { platform: { kind: 'kind' } }, {}, 'fail blocking'],
  [
    'OVN-Kubernetes',
    network('OVN-Kubernetes', 'openshift-ovn-kubernetes/DaemonSet/ovnkube-node'),
    {},
    {},
    'fail blocking',
  ],
  ['EKS with its own network', awsNode, { platform: { kind: 'eks' } }, {}, 'pass'],
  [
    'EKS, and Calico was chosen',
    awsNode,
    { platform: { kind: 'eks' } },
    { set: { 'cni.type': 'Calico' } },
    'fail warning',
  ],
  [
    'AKS with its own network',
    network('Azure CNI', 'kube-system/DaemonSet/azure-cns'),
    { platform: { kind: 'aks' } },
    {},
    'pass',
  ],
  [
    'AKS with its own network, and Calico was chosen',
    network('Azure CNI', 'kube-system/DaemonSet/azure-cns'),
    { platform: { kind: 'aks' } },
    { set: { 'cni.type': 'Calico' } },
    'fail blocking',
  ],
  ['calico.yaml', { method: 'manifest-kdd', manifest: 'calico', operators: [] }, {}, {}, 'fail blocking'],
  ['canal.yaml', { method: 'manifest-kdd', manifest: 'canal', operators: [] }, {}, {}, 'fail blocking'],
  ['calico-etcd.yaml', { method: 'manifest-etcd', manifest: 'calico-etcd', operators: [] }, {}, {}, 'fail blocking'],
  ['by the operator, on the standard data plane', {}, {}, {}, 'fail blocking'],
  ['by the operator, with what is asked for', { dataplane: { wanted: 'BPF', actual: 'BPF' } }, {}, {}, 'fail warning'],
  ['by the operator, the standard data plane asked for', {}, {}, { dataplane: 'Iptables' }, 'fail warning'],
  ['by Helm', { method: 'helm' }, {}, {}, 'fail blocking'],
  ['half of it', { unfinished: { has: [], lacks: [] } }, {}, {}, 'pass'],
  [
    'half of it, which has run already',
    {
      unfinished: { has: [], lacks: [] },
      evidence: [{ object: 'Installation/default', path: 'status.calicoVersion', value: 'v3.31.4' }],
    },
    {},
    {},
    'fail blocking',
  ],
  [
    'half migrated',
    { ...none, migration: { waiting: 2, migrated: 4, agents: [], evidence: [] } },
    {},
    {},
    'fail blocking',
  ],
  ['an operator elsewhere', { ...none, operators: [operatorAt('calico-networking')] }, {}, {}, 'fail blocking'],
  ['the operator where it belongs', { ...none, operators: [operatorAt('tigera-operator')] }, {}, {}, 'pass'],
  ['nobody can tell', { ...none, method: 'unknown' }, {}, {}, 'unknown'],
  [
    'an agent of unknown origin',
    { ...none, method: 'unknown', namespace: 'networking', agent: 'networking/DaemonSet/calico-node' },
    {},
    {},
    'fail blocking',
  ],
])('%s', (_name, installation, more, choices, expected) => {
  const { status, severity } = find(id, { ...unread, ...more, installation }, { ...install, ...choices });
  expect(status === 'fail' ? `${status} ${severity}` : status).toBe(expected);
});

test('a manifest install says that the operator would move it', () => {
  const finding = find(
    id,
    { installation: { method: 'manifest-kdd', manifest: 'calico-vxlan', operators: [] } },
    install,
  );
  expect(finding.because).toContain('installed by calico-vxlan.yaml. Creating an Installation makes the operator move');
  expect(finding.remedy.steps[0]).toMatch(/^Move Calico to the operator first, as Calico describes/);
});

test('a tool that writes the manifest is told its own way', () => {
  const finding = find(
    id,
    { platform: { kind: 'kops' }, installation: { method: 'manifest-kdd', manifest: 'calico', operators: [] } },
    install,
  );
  expect(finding.remedy.steps[0]).toMatch(/^kOps writes this manifest/);
});

test('all obstacles are named, the worst first', () => {
  const installation: Installation = {
    ...none,
    otherNetworks: [
      anotherNetwork('Amazon VPC CNI', 'kube-system/DaemonSet/aws-node'),
      anotherNetwork('Cilium', 'kube-system/DaemonSet/cilium'),
    ],
  };
  const choices = { ...install, set: { 'cni.type': 'Calico' } };
  const finding = find(id, { ...unread, platform: { kind: 'eks' }, installation }, choices);
  expect(subjectLines(finding)).toEqual([
    'DaemonSet kube-system/cilium: Cilium runs here',
    'DaemonSet kube-system/aws-node: the plan deletes it',
  ]);
});

test('what was not read is unknown, and one obstacle is enough', () => {
  const empty = { installation: none };
  for (const key of ['installation', 'otherNetworks', 'unfinished'] as const)
    expect(find(id, uncover(aFacts(empty), key), install).status).toBe('unknown');
  const flannel = aFacts({ installation: network('Flannel', 'kube-flannel/DaemonSet/kube-flannel-ds') });
  expect(find(id, uncover(flannel, 'installation', 'unfinished'), install).status).toBe('fail');
});
