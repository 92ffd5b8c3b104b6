import type { KubeObject } from '#lib/kube/index.ts';
import { containerDefaults, podDefaults } from '#lib/operator/index.ts';
import type { Resource } from '#lib/spec/index.ts';

/** Makes a ConfigMap. */

export function configMap(namespace: string, name: string, data: Record<string, string>): KubeObject {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace }, data };
}

/** CustomResourceDefinition of a kind from another product. It keeps all fields of its objects. */
export function definitionOf({ group, version, kind, plural, namespaced }: Resource): KubeObject {
  const schema = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      names: { kind, plural, singular: kind.toLowerCase(), listKind: `${kind}List` },
      scope: namespaced ? 'Namespaced' : 'Cluster',
      versions: [{ name: version, served: true, storage: true, schema }],
    },
    status: { conditions: [{ type: 'Established', status: 'True' }] },
  };
}

/** A daemon on the host network of every Linux node. */
export function daemon(
  namespace: string,
  name: string,
  image: string,
  more: { labels?: Record<string, string>; container?: Record<string, unknown>; pod?: Record<string, unknown> } = {},
): KubeObject {
  const labels = more.labels ?? { 'k8s-app': name };
  return {
    apiVersion: 'apps/v1',
    kind: 'DaemonSet',
    metadata: { name, namespace, labels },
    spec: {
      revisionHistoryLimit: 10,
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: {
          ...podDefaults,
          containers: [{ ...containerDefaults, image, name, ...more.container }],
          dnsPolicy: 'ClusterFirst',
          hostNetwork: true,
          nodeSelector: { 'kubernetes.io/os': 'linux' },
          priorityClassName: 'system-node-critical',
          serviceAccount: name,
          serviceAccountName: name,
          terminationGracePeriodSeconds: 30,
          tolerations: [{ operator: 'Exists' }],
          ...more.pod,
        },
      },
      updateStrategy: { rollingUpdate: { maxSurge: 0, maxUnavailable: 1 }, type: 'RollingUpdate' },
    },
  };
}

/** A mirror pod: the API's copy of a pod that the kubelet started from a file on its node. */
export function mirrorPod(
  node: { name: string; address: string },
  component: string,
  image: string,
  command: readonly string[],
  started: string,
): KubeObject {
  const status = {
    name: component,
    image,
    imageID: image,
    ready: true,
    restartCount: 0,
    started: true,
    containerID: `containerd://${component}-${node.name}`,
    state: { running: { startedAt: started } },
  };
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name: `${component}-${node.name}`,
      namespace: 'kube-system',
      labels: { component, tier: 'control-plane', 'k8s-app': component },
      annotations: { 'kubernetes.io/config.mirror': component, 'kubernetes.io/config.source': 'file' },
      ownerReferences: [{ apiVersion: 'v1', kind: 'Node', name: node.name, uid: '', controller: true }],
    },
    spec: {
      ...podDefaults,
      containers: [{ ...containerDefaults, name: component, image, command: [...command] }],
      dnsPolicy: 'ClusterFirst',
      enableServiceLinks: true,
      hostNetwork: true,
      nodeName: node.name,
      terminationGracePeriodSeconds: 30,
      tolerations: [{ effect: 'NoExecute', operator: 'Exists' }],
    },
    status: {
      phase: 'Running',
      hostIP: node.address,
      podIP: node.address,
      podIPs: [{ ip: node.address }],
      qosClass: 'Burstable',
      startTime: started,
      conditions: ['Initialized', 'Ready', 'ContainersReady', 'PodScheduled'].map((type) => ({
        type,
        status: 'True',
        lastTransitionTime: started,
      })),
      containerStatuses: [status],
    },
  };
}

/** kube-proxy as a static pod, which the node's own agent starts. */
export function proxyPodOn({ name = '', address = '' }: { name?: string; address?: string }): KubeObject {
  return mirrorPod(
    { name, address },
    'kube-proxy',
    'images.sandbox.example/kube-proxy:v1.34.1',
    ['kube-proxy', `--hostname-override=${name}`, '--proxy-mode=iptables'],
    '2026-01-01T00:00:00Z',
  );
}
