import { createHash } from 'node:crypto';
import type { KubeObject } from '#lib/kube/index.ts';

/** What a sample node is like. Everything else about it is as kubeadm and the kubelet leave it. */
export type NodeDescription = {
  name: string;
  role?: 'control-plane' | 'worker';
  address?: string;
  kernel?: string;
  osImage?: string;
  architecture?: string;
  kubelet?: string;
  ready?: boolean;
  podCIDR?: string;
  /** Milliseconds since the epoch; the node is thirty days old then. */
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
  const { name, role = 'worker', address = '10.0.0.100', kernel = '6.8.0-45-generic', ready = true } = description;
  const { osImage = 'Ubuntu 24.04.1 LTS', architecture = 'amd64', kubelet = 'v1.34.3' } = description;
  const { podCIDR = '192.168.0.0/24', now = Date.now(), providerID, os = 'linux' } = description;
  const created = timeAt(now - 30 * dayMs);
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
        'projectcalico.org/IPv4Address': `${address}/24`,
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
      podCIDR,
      podCIDRs: [podCIDR],
      ...(role === 'control-plane' || !ready
        ? {
            taints: [
              ...(role === 'control-plane'
                ? [{ key: 'node-role.kubernetes.io/control-plane', effect: 'NoSchedule' }]
                : []),
              ...(ready
                ? []
                : [
                    { key: 'node.kubernetes.io/not-ready', effect: 'NoSchedule' },
                    { key: 'node.kubernetes.io/not-ready', effect: 'NoExecute', timeAdded: timeAt(now - dayMs) },
                  ]),
            ],
          }
        : {}),
    },
    status: {
      addresses: [
        { type: 'InternalIP', address },
        { type: 'Hostname', address: name },
      ],
      capacity: resources,
      allocatable: resources,
      conditions: [
        condition('NetworkUnavailable', 'False', 'CalicoIsUp', 'Calico is running on this node', created),
        condition(
          'MemoryPressure',
          'False',
          'KubeletHasSufficientMemory',
          'kubelet has sufficient memory available',
          created,
        ),
        condition('DiskPressure', 'False', 'KubeletHasNoDiskPressure', 'kubelet has no disk pressure', created),
        condition('PIDPressure', 'False', 'KubeletHasSufficientPID', 'kubelet has sufficient PID available', created),
        ready
          ? condition('Ready', 'True', 'KubeletReady', 'kubelet is posting ready status', created)
          : condition(
              'Ready',
              'False',
              'KubeletNotReady',
              'container runtime network not ready: NetworkReady=false',
              timeAt(now - dayMs),
            ),
      ],
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

function condition(type: string, status: string, reason: string, message: string, since: string) {
  return { type, status, reason, message, lastHeartbeatTime: since, lastTransitionTime: since };
}

/** RFC 3339 in whole seconds, as the API server writes it. */
export function timeAt(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19)}Z`;
}

/** A UID that belongs to a name, so that a fresh copy of a sample is the same every time. */
export function uidOf(...identity: string[]): string {
  const hex = createHash('sha256').update(identity.join('/')).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
