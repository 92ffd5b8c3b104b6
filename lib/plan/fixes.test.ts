import { expect, test } from 'vitest';
import { distributionOf } from '#lib/spec/index.ts';
import { aNode, aPlan, ids, object, outline } from './testing/a-cluster.ts';

const on = (...osImages: string[]) =>
  osImages.map((osImage, index) => ({
    ...aNode(`worker-${index + 1}`),
    osImage,
    distribution: distributionOf(osImage),
  }));
const talos = 'Talos (v1.8.1)';
const bottlerocket = 'Bottlerocket OS 1.21.1 (aws-k8s-1.31)';

/** What an operation of the plan writes, as text. */
function written(plan: ReturnType<typeof aPlan>, id: string): string {
  return JSON.stringify(plan.operations.filter((operation) => operation.id === id).map(({ act }) => act));
}

test('cgroup2 goes where it is known to be right, before the switch', () => {
  const plan = aPlan({ nodes: on(talos, talos) }, { fix: ['node.cgroup-path'] });
  expect(written(plan, 'felix.options')).toContain('"cgroupV2Path":"/sys/fs/cgroup"');
  const order = outline(plan);
  expect(order.indexOf('felix.options')).toBeLessThan(order.indexOf('switch.bpf'));
});

test.each([
  ['nobody asked', on(talos), [], {}],
  ['no folder is known', on(bottlerocket), ['node.cgroup-path'], {}],
  ['it is set already', on(talos), ['node.cgroup-path'], { cgroupV2Path: '/var/cgroup' }],
])('where %s, nothing is written', (_what, nodes, fix, spec) => {
  const felix = object('crd.projectcalico.org/v1', 'FelixConfiguration', 'default', undefined, { spec });
  expect(outline(aPlan({ nodes, objects: { [ids.felix]: felix } }, { fix }))).not.toContain('felix.options');
});

test('with a mesh eBPF leaves the choice of the pod to the network', () => {
  const felixOptions = written(aPlan({}, { fix: ['feature.service-mesh'] }), 'felix.options');
  expect(felixOptions).toContain('"bpfConnectTimeLoadBalancing":"Disabled"');
  expect(felixOptions).toContain('"bpfHostNetworkedNATWithoutCTLB":"Enabled"');
});

test.each([
  [on(bottlerocket), {}, '/var/lib/kubelet/plugins/'],
  [on(talos, bottlerocket), {}, 'None'],
  [on(bottlerocket), { flexVolumePath: '/var/own/' }, '/var/own/'],
])('FlexVolume gets a folder that can be written', (nodes, set, path) => {
  const plan = aPlan({ nodes }, { fix: ['node.flexvolume-path'], set });
  expect(written(plan, 'installation.options')).toContain(`"flexVolumePath":"${path}"`);
});

test('the fix of nodes that need none writes nothing', () => {
  expect(outline(aPlan({}, { fix: ['node.flexvolume-path'] }))).not.toContain('installation.options');
});
