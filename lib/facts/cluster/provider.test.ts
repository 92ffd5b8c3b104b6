import { expect, test } from 'vitest';
import { createStore, type KubeObject } from '#lib/kube/index.ts';
import { type Resource, resources } from '#lib/spec/index.ts';
import { collectFacts } from '../collect.ts';
import { aConfigMap, aNode } from '../testing/sample-cluster.ts';

const group = (name: string): Resource => ({
  group: name,
  version: 'v1',
  kind: 'Thing',
  plural: 'things',
  namespaced: false,
});
const service = (name: string, labels: Record<string, string> = {}): KubeObject => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { namespace: 'kube-system', name, labels },
});
const ucp = { 'com.docker.ucp.collection': 'shared' };
const master = { 'node-role.kubernetes.io/master': '' };

test.each<[string, string, KubeObject[], Resource[]]>([
  ['GKE', 'GKE', [aNode({})], [group('networking.gke.io')]],
  ['TKG', 'TKG', [aNode({})], [group('core.tanzu.vmware.com')]],
  [
    'GKE’s group on EKS, which a third party installed',
    'GKE',
    [aConfigMap('kube-system', 'aws-auth', {})],
    [group('networking.gke.io')],
  ],
  ['OpenShift', 'OpenShift', [aNode({})], [resources.openshiftInfrastructures]],
  ['MKE', 'DockerEnterprise', [aNode({ labels: { ...ucp, ...master } })], []],
  ['MKE’s label without the role', '', [aNode({ labels: ucp })], []],
  ['EKS by aws-auth', 'EKS', [aConfigMap('kube-system', 'aws-auth', {})], []],
  ['EKS by kube-dns', 'EKS', [service('kube-dns', { 'eks.amazonaws.com/component': 'kube-dns' })], []],
  ['EKS’ nodes alone say nothing to the operator', '', [aNode({ labels: { 'eks.amazonaws.com/nodegroup': 'a' } })], []],
  ['RKE2', 'RKE2', [service('rke2-coredns-rke2-coredns')], []],
  ['kind', 'Kind', [aNode({ providerID: 'kind://docker/kind/kind-worker' })], []],
  ['AKS is never detected', '', [aNode({ labels: { 'kubernetes.azure.com/cluster': 'rg' } })], []],
])('%s', async (_name, expected, objects, kinds) => {
  const kube = createStore({ name: 'lab', source: 'live', kinds, objects });
  const { platform, coverage } = await collectFacts({ kube });
  expect(platform.provider?.detected).toBe(expected);
  expect(platform.provider?.evidence.length).toBe(expected === '' ? 0 : 1);
  expect(coverage.provider.covered).toBe(true);
});

test('a dump has no discovery, and what comes after it in the order is not known', async () => {
  const objects = [aNode({ providerID: 'kind://docker/kind/kind-worker' })];
  const { platform, coverage } = await collectFacts({ kube: createStore({ name: 'lab', source: 'dump', objects }) });
  expect(platform.provider).toBeNull();
  expect(coverage.provider.covered).toBe(false);
});
