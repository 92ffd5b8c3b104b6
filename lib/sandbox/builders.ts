import { createHash } from 'node:crypto';
import { type KubeObject, objectTime } from '#lib/kube/index.ts';
import { condition, type NodeCondition, readyCondition, waitsForNetwork } from './workloads/node-readiness.ts';

/** The properties of a sample node. Everything else is as kubeadm and the kubelet leave it. */
export type NodeDescription = {
  name: string;
  role?: 'control-plane' | 'worker';
  address?: string;
  kernel?: string;
  osImage?: string;
  architecture?: string;
  kubelet?: string;
  /** `lost`: its kubelet stopped yesterday. `no-network`: its pods have no network yet. Absent: ready. */
  readiness?: 'ready' | 'lost' | 'no-network';
  /** Null: the controller manager assigns none. */
  podCIDR?: string | null;
  /** Milliseconds since the epoch, at which the node is thirty days old. */
  now?: number;
  annotations?: Record<string, string>;
  labels?: Record<string, string>;
  /** As a cloud's controller writes it: `aws:///eu-west-1a/i-0…`. */
  providerID?: string;
  os?: 'linux' | 'windows';
};

const dayMs = 24 * 60 * 60 * 1000;

/** A Node as kubeadm, the kubelet and Calico leave it. */
export function aNode(description: NodeDescription): KubeObject {
  const {
    name,
    role = 'worker',
    address = '10.0.0.100',
    kernel = '6.8.0-45-generic',
    readiness = 'ready',
  } = description;
  const { osImage = 'Ubuntu 24.04.1 LTS', architecture = 'amd64', kubelet = 'v1.34.3' } = description;
  const { podCIDR = '192.168.0.0/24', now = Date.now(), providerID, os = 'linux' } = description;
  const created = objectTime(now - 30 * dayMs);
  const taints = [
    ...(role === 'control-plane' ? [{ key: 'node-role.kubernetes.io/control-plane', effect: 'NoSchedule' }] : []),
    ...taintsOf(readiness, now),
  ];
  const resources = { cpu: '8', 'ephemeral-storage': '101430960Ki', memory: '32788284Ki', pods: '110' };
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: {
      name,
      uid: uidOf('Node', name),
      creationTimestamp: created,
      annotations: {
        'node.alpha.kubernetes.io/ttl': '0',
        ...(readiness === 'no-network' ? {} : { 'projectcalico.org/IPv4Address': `${address}/24` }),
        'volumes.kubernetes.io/controller-managed-attach-detach': 'true',
        ...description.annotations,
      },
      labels: {
        'beta.kubernetes.io/arch': architecture,
        'beta.kubernetes.io/os': os,
        'kubernetes.io/arch': architecture,
        'kubernetes.io/hostname': name,
        'kubernetes.io/os': os,
        ...(role === 'control-plane'
          ? {
              'node-role.kubernetes.io/control-plane': '',
              'node.kubernetes.io/exclude-from-external-load-balancers': '',
            }
          : {}),
        ...description.labels,
      },
    },
    spec: {
      ...(providerID === undefined ? {} : { providerID }),
      ...(podCIDR === null ? {} : { podCIDR, podCIDRs: [podCIDR] }),
      ...(taints.length > 0 ? { taints } : {}),
    },
    status: {
      addresses: [
        { type: 'InternalIP', address },
        { type: 'Hostname', address: name },
      ],
      capacity: resources,
      allocatable: resources,
      conditions: conditionsOf(readiness, now),
      daemonEndpoints: { kubeletEndpoint: { Port: 10250 } },
      nodeInfo: {
        architecture,
        bootID: uidOf('boot', name),
        containerRuntimeVersion: 'containerd://1.7.22',
        kernelVersion: kernel,
        kubeProxyVersion: '',
        kubeletVersion: kubelet,
        machineID: uidOf('machine', name).replaceAll('-', ''),
        operatingSystem: os,
        osImage,
        systemUUID: uidOf('system', name),
      },
    },
  };
}

type Readiness = NonNullable<NodeDescription['readiness']>;

/** The taints that the node lifecycle controller adds for each. */
function taintsOf(readiness: Readiness, now: number) {
  if (readiness === 'ready') return [];
  if (readiness === 'no-network') return [waitsForNetwork];
  const key = 'node.kubernetes.io/unreachable';
  return [
    { key, effect: 'NoSchedule' },
    { key, effect: 'NoExecute', timeAdded: objectTime(now - dayMs) },
  ];
}

const healthy = [
  ['MemoryPressure', 'KubeletHasSufficientMemory', 'kubelet has sufficient memory available'],
  ['DiskPressure', 'KubeletHasNoDiskPressure', 'kubelet has no disk pressure'],
  ['PIDPressure', 'KubeletHasSufficientPID', 'kubelet has sufficient PID available'],
] as const;

function conditionsOf(readiness: Readiness, now: number): NodeCondition[] {
  const created = objectTime(now - 30 * dayMs);
  const calicoIsUp = condition('NetworkUnavailable', 'False', 'CalicoIsUp', 'Calico is running on this node', created);
  if (readiness === 'lost') {
    const unknown = (type: string) =>
      condition(type, 'Unknown', 'NodeStatusUnknown', 'Kubelet stopped posting node status.', objectTime(now - dayMs));
    return [calicoIsUp, ...[...healthy.map(([type]) => type), 'Ready'].map(unknown)];
  }
  return [
    ...(readiness === 'ready' ? [calicoIsUp] : []),
    ...healthy.map(([type, reason, message]) => condition(type, 'False', reason, message, created)),
    readyCondition(readiness === 'ready', created),
  ];
}

/** The UID of a sandbox's cluster, which is that of its kube-system. */
export function sandboxUid(name: string): string {
  return uidOf('Namespace', 'kube-system', name);
}

/** A UID derived from a name, so that every fresh copy of a sample is the same. */
export function uidOf(...identity: string[]): string {
  const hex = createHash('sha256').update(identity.join('/')).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
