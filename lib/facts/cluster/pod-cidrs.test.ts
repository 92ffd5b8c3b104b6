import { expect, test } from 'vitest';
import { createStore, type KubeObject } from '#lib/kube/index.ts';
import { resources } from '#lib/spec/index.ts';
import { collectFacts } from '../collect.ts';
import { aConfigMap, aNode, kubeadmConfig } from '../testing/sample-cluster.ts';

const openshift = (clusterNetwork: { cidr: string; hostPrefix: number }[]): KubeObject => ({
  apiVersion: 'config.openshift.io/v1',
  kind: 'Network',
  metadata: { name: 'cluster' },
  status: { clusterNetwork },
});
const node = (name: string, podCIDRs: string[]): KubeObject => ({
  ...aNode({ name }),
  spec: { podCIDR: podCIDRs[0], podCIDRs },
});
const controllerManager = (label: string, flag: string): KubeObject => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: {
    namespace: 'kube-system',
    name: 'kube-controller-manager-a',
    labels: { [label]: 'kube-controller-manager' },
  },
  spec: {
    containers: [{ name: 'kube-controller-manager', image: 'x', command: ['kube-controller-manager', flag] }],
  },
});
const proxy = (clusterCIDR: string) =>
  aConfigMap('kube-system', 'kube-proxy', {
    'config.conf': `kind: KubeProxyConfiguration\nclusterCIDR: "${clusterCIDR}"\nmode: ""\n`,
  });
const rke2 = (...more: string[]) =>
  aNode({ annotations: { 'rke2.io/node-args': JSON.stringify(['server', ...more]) } });

test.each<[string, KubeObject[], string[], string | null]>([
  ['kubeadm', [kubeadmConfig, node('a', ['10.0.0.0/24'])], ['192.168.0.0/16'], 'kubeadm'],
  [
    'kubeadm with both families and blanks',
    [
      aConfigMap('kube-system', 'kubeadm-config', {
        ClusterConfiguration: 'networking:\n  podSubnet: 10.244.0.0/16, fd00:10:244::/56\n',
      }),
    ],
    ['10.244.0.0/16', 'fd00:10:244::/56'],
    'kubeadm',
  ],
  ['OpenShift', [openshift([{ cidr: '10.128.0.0/14', hostPrefix: 23 }])], ['10.128.0.0/14'], 'openshift'],
  [
    'kubeadm without a podSubnet: the controller manager',
    [
      aConfigMap('kube-system', 'kubeadm-config', {
        ClusterConfiguration: 'networking:\n  serviceSubnet: 10.96.0.0/12\n',
      }),
      controllerManager('component', '--cluster-cidr=10.244.0.0/16'),
    ],
    ['10.244.0.0/16'],
    'controller-manager',
  ],
  ['Talos', [controllerManager('k8s-app', '--cluster-cidr=10.244.0.0/16')], ['10.244.0.0/16'], 'controller-manager'],
  ['RKE2 as it is', [rke2()], ['10.42.0.0/16'], 'distribution'],
  ['RKE2 with a range of its own', [rke2('--cluster-cidr', '10.10.0.0/16')], ['10.10.0.0/16'], 'distribution'],
  ['kube-proxy', [proxy('100.96.0.0/11')], ['100.96.0.0/11'], 'kube-proxy'],
  ['only its nodes', [node('a', ['10.0.0.0/24']), node('b', ['10.0.3.0/24'])], ['10.0.0.0/22'], 'nodes'],
  ['nothing says', [aNode({})], [], null],
  ['nonsense', [proxy('all of them'), node('a', ['x/y'])], [], null],
])('%s', async (_name, objects, cidrs, from) => {
  const kube = createStore({ name: 'lab', source: 'live', kinds: [resources.openshiftClusterNetworks], objects });
  const { cluster, coverage } = await collectFacts({ kube });
  expect([cluster.podCIDRs, cluster.podCIDRsFrom]).toEqual([cidrs, from]);
  expect(coverage.podCIDRs.covered).toBe(from !== null);
});

test('a dump without what would tell does not know', async () => {
  const kube = createStore({ name: 'lab', source: 'dump', objects: [aNode({})] });
  const { coverage } = await collectFacts({ kube });
  expect(coverage.podCIDRs.covered).toBe(false);
});
