import { expect, test } from 'vitest';
import type { Facts } from '#lib/facts/index.ts';
import type { Choices } from '#lib/spec/index.ts';
import { aFacts, aNode, anotherNetwork, type Overrides, uncover } from '../testing/a-facts.ts';
import { find } from '../testing/find.ts';

const id = 'platform.proxy-cannot-be-disabled';
const aks: Overrides<Facts> = { platform: { kind: 'aks' }, installation: { cni: 'AzureVNET' } };
const nothing: Overrides<Facts> = {
  installation: { method: 'none', cni: null, version: null, datastore: null },
  resources: { objects: { 'Installation/default': null } },
};
const waiting = aNode({ ready: false, notReady: { waitsFor: 'network', because: 'cni plugin not initialized' } });

test.each<[string, Overrides<Facts>, Partial<Choices>, string]>([
  ['kubeadm', {}, {}, 'pass'],
  ['AKS with its own network', aks, {}, 'fail'],
  ['AKS with Calico as network', { ...aks, installation: { cni: 'Calico' } }, {}, 'pass'],
  ['AKS whose network cannot be told', { ...aks, installation: { cni: null } }, {}, 'unknown'],
  ['AKS whose proxy is off', { ...aks, proxy: { running: false } }, {}, 'pass'],
  ['chosen as AKS', { installation: { cni: 'AzureVNET' } }, { platform: 'aks' }, 'fail'],
  ['GKE, where nothing is supported', { platform: { kind: 'gke' } }, {}, 'skipped'],
  ['EKS with its own network', { platform: { kind: 'eks' }, installation: { cni: 'AmazonVPC' } }, {}, 'pass'],
  [
    'a new AKS without a network',
    { ...nothing, platform: { kind: 'aks' }, nodes: [waiting] },
    { goal: 'install' },
    'pass',
  ],
  [
    'a new AKS of which no node tells anything',
    { ...nothing, platform: { kind: 'aks' }, nodes: [aNode({ ready: false })] },
    { goal: 'install' },
    'fail',
  ],
  [
    'a new AKS with Azure CNI',
    {
      ...nothing,
      platform: { kind: 'aks' },
      installation: {
        method: 'none',
        cni: null,
        otherNetworks: [anotherNetwork('Azure CNI', 'kube-system/DaemonSet/azure-cns')],
      },
    },
    { goal: 'install' },
    'fail',
  ],
  [
    'a new AKS with Azure CNI, where Calico was chosen',
    { ...nothing, platform: { kind: 'aks' } },
    { goal: 'install', set: { 'cni.type': 'Calico' } },
    'pass',
  ],
])('%s', (_name, facts, choices, expected) => {
  expect(find(id, facts, choices).status).toBe(expected);
});

test('it names the platform, its network and the proxy, and can be acknowledged', () => {
  const finding = find(id, aks, { acknowledge: { [id]: 'known' } });
  expect(finding).toMatchObject({
    severity: 'warning',
    acknowledged: 'known',
    because:
      'Azure Kubernetes Service (AKS) puts the service proxy back as long as its own network (AzureVNET) connects the pods.',
  });
});

test('a platform that was not read is unknown', () => {
  expect(find(id, uncover(aFacts(), 'platform')).status).toBe('unknown');
});
