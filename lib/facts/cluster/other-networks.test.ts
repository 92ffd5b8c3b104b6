import { expect, test } from 'vitest';
import { createStore } from '#lib/kube/index.ts';
import { collectFacts } from '../collect.ts';
import { aDaemonSet, agentContainers, standardCluster } from '../testing/sample-cluster.ts';

const running = (namespace: string, name: string, desired = 3) =>
  aDaemonSet({ namespace, name, containers: [{ name: 'x' }], desired });

test.each<[string, string, string | null]>([
  ['kube-system', 'aws-node', 'Amazon VPC CNI'],
  ['kube-system', 'azure-cns', 'Azure CNI'],
  ['kube-system', 'cilium', 'Cilium'],
  ['cilium', 'cilium', 'Cilium'],
  ['kube-system', 'cilium-envoy', null],
  ['kube-flannel', 'kube-flannel-ds', 'Flannel'],
  ['kube-system', 'kube-flannel-ds-amd64', 'Flannel'],
  ['kube-system', 'weave-net', 'Weave Net'],
  ['kube-system', 'kube-router', 'kube-router'],
  ['kube-system', 'antrea-agent', 'Antrea'],
  ['openshift-ovn-kubernetes', 'ovnkube-node', 'OVN-Kubernetes'],
  ['openshift-sdn', 'sdn', 'OpenShift SDN'],
  ['shop', 'sdn', null],
  ['kube-system', 'kindnet', 'kindnet'],
  ['kube-system', 'kube-proxy', null],
])('%s/%s: %s', async (namespace, name, product) => {
  const kube = createStore({ name: 'lab', source: 'live', objects: [running(namespace, name)] });
  const { installation, coverage } = await collectFacts({ kube });
  expect(installation.otherNetworks).toEqual(
    product === null ? [] : [{ product, object: `${namespace}/DaemonSet/${name}` }],
  );
  expect(coverage.otherNetworks.covered).toBe(true);
});

test('several, but none that runs nowhere, and never Calico itself', async () => {
  const canal = aDaemonSet({ namespace: 'kube-system', name: 'canal', ...agentContainers() });
  const objects = [
    ...standardCluster(),
    canal,
    running('kube-system', 'aws-node', 0),
    running('kube-system', 'cilium'),
  ];
  const { installation } = await collectFacts({ kube: createStore({ name: 'lab', source: 'live', objects }) });
  expect(installation.otherNetworks.map(({ product }) => product)).toEqual(['Cilium']);
});
