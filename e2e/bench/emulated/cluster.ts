import type { KubeObject } from '#lib/kube/index.ts';
import { aCluster, type ClusterShape } from '#lib/sandbox/index.ts';
import { names } from '#lib/spec/index.ts';
import { bigNode } from '../big-cluster.ts';

/** Every so many nodes one has a kernel that cannot run eBPF: a finding with hundreds of subjects. */
const oldKernelEvery = 10;

const onEveryNode: ReadonlySet<string> = new Set([names.nodeDaemonSet, names.kubeProxyDaemonSet, 'csi-node-driver']);

/**
 * The objects of a settled kubeadm cluster with Calico on the standard data plane: the sandbox's, and beside its six nodes as many more with their
 * agents as make `nodes`, with the images that real nodes list (what makes a Node large).
 */
export function emulatedObjects(nodes: number, now: number, shape: Partial<ClusterShape> = {}): KubeObject[] {
  const objects = aCluster({ now, ...shape });
  const own = objects.filter(({ kind }) => kind === 'Node');
  const more = Array.from({ length: Math.max(0, nodes - own.length) }, (_, number) => number);
  const agents = objects.filter(
    ({ kind, metadata, spec }) =>
      kind === 'Pod' &&
      (spec as { nodeName?: string }).nodeName === 'worker-1' &&
      onEveryNode.has(metadata.labels?.['k8s-app'] ?? ''),
  );
  return [
    ...objects.map((object) => (object.kind === 'DaemonSet' ? onAll(object, nodes) : object)),
    ...more.map((number) => bigNode(number, 30, { now, ...(number % oldKernelEvery === 0 ? oldKernel : {}) })),
    ...more.flatMap((number) => agents.map((agent) => copyOn(agent, number))),
  ];
}

const oldKernel = { kernel: '4.15.0-213-generic', osImage: 'Ubuntu 18.04.6 LTS' };

function copyOn(agent: KubeObject, number: number): KubeObject {
  const { metadata, spec } = agent;
  const app = metadata.labels?.['k8s-app'] ?? '';
  const hex = number.toString(16).padStart(12, '0');
  return {
    ...agent,
    metadata: {
      ...metadata,
      name: `${app}-${number.toString(36).padStart(5, '0')}`,
      uid: `00000000-${app === names.nodeDaemonSet ? '0005' : '0006'}-4000-8000-${hex}`,
    },
    spec: { ...(spec as Record<string, unknown>), nodeName: `node-${number}` },
  };
}

/** The counts of a DaemonSet that has a pod on every node. */
function onAll(daemonSet: KubeObject, nodes: number): KubeObject {
  const { status } = daemonSet as { status?: Record<string, unknown> };
  const counted = Object.entries(status ?? {}).map(([field, value]) => [
    field,
    typeof value === 'number' && /^(desired|current|updated|number)/.test(field) && value > 0 ? nodes : value,
  ]);
  return { ...daemonSet, status: Object.fromEntries(counted) };
}
