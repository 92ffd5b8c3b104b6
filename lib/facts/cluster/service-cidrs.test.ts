import { expect, test } from 'vitest';
import { createStore, type KubeObject } from '#lib/kube/index.ts';
import { collectFacts } from '../collect.ts';
import { aConfigMap, aNode } from '../testing/sample-cluster.ts';

const started = (distribution: 'rke2' | 'k3s', ...args: string[]) =>
  aNode({ annotations: { [`${distribution}.io/node-args`]: JSON.stringify(args) } });
const kubeadm = aConfigMap('kube-system', 'kubeadm-config', {
  ClusterConfiguration: 'networking:\n  serviceSubnet: 10.96.0.0/12\n',
});

test.each<[string, KubeObject[], string[]]>([
  ['RKE2 as it is', [started('rke2', 'server', '--cni', 'none')], ['10.43.0.0/16']],
  ['K3s as it is', [started('k3s', 'server')], ['10.43.0.0/16']],
  ['K3s with a range of its own', [started('k3s', 'server', '--service-cidr', '10.53.0.0/16')], ['10.53.0.0/16']],
  [
    'K3s with both families in one flag',
    [started('k3s', 'server', '--service-cidr=10.53.0.0/16, fd00:53::/112')],
    ['10.53.0.0/16', 'fd00:53::/112'],
  ],
  [
    'K3s with a flag for each, as a list in its configuration becomes',
    [started('k3s', 'server', '--service-cidr=10.53.0.0/16', '--service-cidr=fd00:53::/112')],
    ['10.53.0.0/16', 'fd00:53::/112'],
  ],
  ['an agent says nothing of ranges', [started('k3s', 'agent', '--server', 'https://a:6443')], []],
  ['kubeadm', [aNode({}), kubeadm], ['10.96.0.0/12']],
  ['nobody says', [aNode({})], []],
])('%s', async (_name, objects, cidrs) => {
  const { cluster, coverage } = await collectFacts({ kube: createStore({ name: 'lab', source: 'live', objects }) });
  expect(cluster.serviceCIDRs).toEqual(cidrs);
  expect(coverage.serviceCIDRs.covered).toBe(cidrs.length > 0);
});
