import type { KubeObject } from '../api.ts';
import { openDefinition } from '../testing/open-definition.ts';

/** What OpenShift's installer and its network operator leave before there is a network, as far as an installation reads or changes it. */

const proxyNamespace = 'openshift-kube-proxy';

/** Kinds of OpenShift that are read here; their schemas are left open. */
const kinds = [
  { group: 'config.openshift.io', kind: 'ClusterVersion', plural: 'clusterversions' },
  { group: 'config.openshift.io', kind: 'Infrastructure', plural: 'infrastructures' },
  { group: 'config.openshift.io', kind: 'Network', plural: 'networks' },
  { group: 'operator.openshift.io', kind: 'Network', plural: 'networks' },
] as const;

const clusterNetwork = {
  networkType: 'Calico',
  clusterNetwork: [{ cidr: '10.128.0.0/14', hostPrefix: 23 }],
  serviceNetwork: ['10.96.0.0/12'],
};

function config(kind: string, name: string, fields: object): KubeObject {
  return { apiVersion: 'config.openshift.io/v1', kind, metadata: { name }, ...fields };
}

/** DaemonSet openshift-kube-proxy. Its second label is how the pretended nodes know a proxy (agents.ts). */
export const openshiftProxy: KubeObject = {
  apiVersion: 'apps/v1',
  kind: 'DaemonSet',
  metadata: { namespace: proxyNamespace, name: proxyNamespace, labels: { app: 'kube-proxy' } },
  spec: {
    selector: { matchLabels: { app: 'kube-proxy' } },
    template: {
      metadata: { labels: { app: 'kube-proxy', 'k8s-app': 'kube-proxy' } },
      spec: {
        hostNetwork: true,
        priorityClassName: 'system-node-critical',
        tolerations: [{ operator: 'Exists' }],
        containers: [{ name: 'kube-proxy', image: 'images.signalbox.test/openshift-kube-proxy:v1' }],
      },
    },
  },
};

export const openshiftObjects: readonly KubeObject[] = [
  ...kinds.map(openDefinition),
  { apiVersion: 'v1', kind: 'Namespace', metadata: { name: proxyNamespace } },
  config('ClusterVersion', 'version', { spec: {}, status: { desired: { version: '4.18.1' } } }),
  config('Infrastructure', 'cluster', {
    status: {
      apiServerURL: 'https://api.ocp.signalbox.test:6443',
      apiServerInternalURI: 'https://api-int.ocp.signalbox.test:6443',
      platform: 'None',
    },
  }),
  config('Network', 'cluster', { spec: clusterNetwork, status: clusterNetwork }),
  {
    apiVersion: 'operator.openshift.io/v1',
    kind: 'Network',
    metadata: { name: 'cluster' },
    spec: { deployKubeProxy: true, defaultNetwork: { type: 'Calico' } },
  },
  openshiftProxy,
];
