import { expect, test } from 'vitest';
import type { KubeObject } from '#lib/kube/index.ts';
import { detectProvider, type ProviderSigns } from './provider.ts';

const nothing: ProviderSigns = { discovery: { resources: [], failing: [] }, nodes: [], configMaps: [], services: [] };
const serving = (group: string, kind: string): Partial<ProviderSigns> => ({
  discovery: { resources: [{ group, kind, version: 'v1', plural: 'x', namespaced: false, verbs: [] }], failing: [] },
});
const node = (labels: Record<string, string>, providerID = ''): KubeObject => ({
  apiVersion: 'v1',
  kind: 'Node',
  metadata: { name: 'n', labels },
  spec: { providerID },
});
const service = (name: string, labels: Record<string, string> = {}): KubeObject => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name, labels },
});

/** Cases of calico.md §3.1. */
test.each<[string, Partial<ProviderSigns>, string]>([
  ['nothing tells', {}, ''],
  ['group networking.gke.io', serving('networking.gke.io', 'X'), 'GKE'],
  ['group core.tanzu.vmware.com', serving('core.tanzu.vmware.com', 'X'), 'TKG'],
  ['ClusterVersion', serving('config.openshift.io', 'ClusterVersion'), 'OpenShift'],
  ['another kind of that group', serving('config.openshift.io', 'Other'), ''],
  [
    'MKE labels',
    { nodes: [node({ 'node-role.kubernetes.io/master': '', 'com.docker.ucp.orchestrator.kubernetes': 'true' })] },
    'DockerEnterprise',
  ],
  ['aws-auth', { configMaps: ['aws-auth'] }, 'EKS'],
  ['EKS label on kube-dns', { services: [service('kube-dns', { 'eks.amazonaws.com/component': 'coredns' })] }, 'EKS'],
  ['ConfigMap rke2', { configMaps: ['rke2'] }, 'RKE2'],
  ['kind provider id', { nodes: [node({}, 'kind://docker/x')] }, 'Kind'],
])('%s: %s', (_, signs, provider) => {
  expect(detectProvider({ ...nothing, ...signs })).toBe(provider);
});
