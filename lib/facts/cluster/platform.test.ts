import { expect, test } from 'vitest';
import { createStore, type KubeObject } from '#lib/kube/index.ts';
import { resources } from '#lib/spec/index.ts';
import { collectFacts } from '../collect.ts';
import { aConfigMap, aNode, kubeadmConfig } from '../testing/sample-cluster.ts';

const labelled = (labels: Record<string, string>, more: Parameters<typeof aNode>[0] = {}) => aNode({ labels, ...more });

const clusters: [string, KubeObject[]][] = [
  ['kubeadm', [aNode({}), kubeadmConfig]],
  ['kubeadm', [aNode({ annotations: { 'kubeadm.alpha.kubernetes.io/cri-socket': 'unix:///x' } })]],
  ['eks', [labelled({ 'eks.amazonaws.com/nodegroup': 'a' }, { providerID: 'aws:///eu-west-1a/i-1' })]],
  ['eks', [aNode({ providerID: 'aws:///a/i-1' }), aConfigMap('kube-system', 'aws-auth', {})]],
  ['eks', [aNode({ kubelet: 'v1.30.4-eks-a737599' })]],
  // EKS Anywhere builds carry EKS' suffix; kubeadm made the cluster.
  ['kubeadm', [aNode({ kubelet: 'v1.30.4-eks-a737599' }), kubeadmConfig]],
  ['aks', [labelled({ 'kubernetes.azure.com/cluster': 'rg' }, { providerID: 'azure:///x' })]],
  ['gke', [labelled({ 'cloud.google.com/gke-nodepool': 'p' }, { providerID: 'gce://x' })]],
  ['gke', [aNode({ kubelet: 'v1.30.3-gke.1969001' })]],
  ['kops', [labelled({ 'kops.k8s.io/instancegroup': 'nodes' }, { providerID: 'aws:///a/i-1' })]],
  ['openshift', [labelled({ 'node.openshift.io/os_id': 'rhcos' })]],
  ['tkg', [aNode({ kubelet: 'v1.28.7+vmware.1' }), kubeadmConfig]],
  ['tkg', [labelled({ 'run.tanzu.vmware.com/tkr': 'v1.28.7---vmware.1' }, { kubelet: '' }), kubeadmConfig]],
  [
    'tkg',
    [
      aNode({ kubelet: 'v1.28.7' }),
      aConfigMap('kube-system', 'kubeadm-config', {
        ClusterConfiguration: 'kind: ClusterConfiguration\nkubernetesVersion: v1.28.7+vmware.1-fips.1\n',
      }),
    ],
  ],
  ['rke2', [aNode({ kubelet: 'v1.31.3+rke2r1', annotations: { 'k3s.io/internal-ip': '10.0.0.1' } })]],
  // Rancher provisions RKE2 and K3s too, and labels their machines in RKE1's domain.
  ['rke2', [labelled({ 'rke.cattle.io/machine': 'uid' }, { kubelet: 'v1.31.3+rke2r1' })]],
  ['k3s', [aNode({ kubelet: 'v1.31.3+k3s1' })]],
  ['rke', [aNode({ annotations: { 'rke.cattle.io/internal-ip': '10.0.0.1' } })]],
  ['mke', [labelled({ 'com.docker.ucp.collection': 'shared' })]],
  ['kind', [aNode({ providerID: 'kind://docker/kind/kind-worker' }), kubeadmConfig]],
  ['talos', [aNode({ osImage: 'Talos (v1.8.1)' })]],
  ['generic', [aNode({ providerID: 'aws:///a/i-1' })]],
];

test.each(clusters)('%s is recognised', async (kind, objects) => {
  const kube = createStore({ name: 'lab', source: 'live', objects });
  const { platform, coverage } = await collectFacts({ kube });
  expect(platform.kind).toBe(kind);
  expect(platform.evidence.length > 0).toBe(kind !== 'generic');
  expect(coverage.platform.covered).toBe(true);
});

test('an API group tells, and what the server calls itself', async () => {
  const openshift = createStore({
    name: 'a',
    source: 'live',
    kinds: [resources.openshiftInfrastructures],
    objects: [aNode({})],
  });
  const evidence = [{ object: 'APIGroupList', path: 'groups', value: 'config.openshift.io' }];
  expect((await collectFacts({ kube: openshift })).platform).toEqual({
    kind: 'openshift',
    evidence,
    provider: { detected: 'OpenShift', evidence },
  });
  const k3s = createStore({ name: 'b', source: 'live', version: 'v1.31.3+k3s1', objects: [aNode({})] });
  expect((await collectFacts({ kube: k3s })).platform.kind).toBe('k3s');
});

test('generic is not known while something that could say otherwise was not read', async () => {
  const access = [{ verbs: ['*'], groups: ['*'], resources: ['pods', 'configmaps', 'services'] }];
  const kube = createStore({ name: 'lab', source: 'live', objects: [], access });
  const { platform, coverage } = await collectFacts({ kube });
  expect(platform.kind).toBe('generic');
  expect(coverage.platform).toMatchObject({ covered: false, missing: [{ kind: 'Node' }] });
});

test('a cluster of which nothing says the build could be another platform', async () => {
  const objects = [aNode({ kubelet: '', annotations: { 'kubeadm.alpha.kubernetes.io/cri-socket': 'unix:///x' } })];
  const { platform, coverage } = await collectFacts({ kube: createStore({ name: 'lab', source: 'dump', objects }) });
  expect(platform.kind).toBe('kubeadm');
  expect(coverage.platform).toMatchObject({ covered: false, missing: [{ kind: 'Node' }] });

  const openshift = [labelled({ 'node.openshift.io/os_id': 'rhcos' }, { kubelet: '' })];
  const known = await collectFacts({ kube: createStore({ name: 'lab', source: 'dump', objects: openshift }) });
  expect([known.platform.kind, known.coverage.platform.covered]).toEqual(['openshift', true]);
});
