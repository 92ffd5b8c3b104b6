import { stringify } from 'yaml';
import type { KubeObject } from '../api.ts';
import { nodeAddress } from './nodes.ts';

/** What tells a kubeadm cluster from another: its ConfigMaps, kube-proxy, CoreDNS, the control plane's static pods. */
export type KubeadmCluster = {
  readonly kubernetesVersion: string;
  readonly ca: string;
  /** `host:port` of the API server as nodes see it. */
  readonly endpoint: string;
  readonly kubeProxy: 'on' | 'turned-off-by-selector';
};

const podSubnet = '192.168.0.0/16';
export const serviceSubnet = '10.96.0.0/12';
/** Name of the address before the control plane's nodes, from the domain that is kept for tests (RFC 2606): whoever dials it reaches nobody. */
export const defaultEndpoint = 'api.signalbox.test:6443';
const dnsAddress = '10.96.0.10';

export function kubeadmObjects(cluster: KubeadmCluster): KubeObject[] {
  return [
    kubeadmConfig(cluster),
    clusterInfo(cluster),
    ...kubeProxy(cluster),
    ...coreDns(),
    ...apiServerEndpoints(),
    ...staticPods(cluster),
  ];
}

function configMap(namespace: string, name: string, data: Readonly<Record<string, string>>): KubeObject {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { namespace, name }, data };
}

function serviceAccount(name: string): KubeObject {
  return { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { namespace: 'kube-system', name } };
}

function kubeadmConfig({ kubernetesVersion, endpoint }: KubeadmCluster): KubeObject {
  const configuration = {
    apiVersion: 'kubeadm.k8s.io/v1beta4',
    kind: 'ClusterConfiguration',
    clusterName: 'kubernetes',
    controlPlaneEndpoint: endpoint,
    kubernetesVersion,
    networking: { dnsDomain: 'cluster.local', podSubnet, serviceSubnet },
  };
  return configMap('kube-system', 'kubeadm-config', { ClusterConfiguration: stringify(configuration) });
}

function clusterInfo({ ca, endpoint }: KubeadmCluster): KubeObject {
  const kubeconfig = {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [
      {
        name: '',
        cluster: { server: `https://${endpoint}`, 'certificate-authority-data': Buffer.from(ca).toString('base64') },
      },
    ],
  };
  return configMap('kube-public', 'cluster-info', { kubeconfig: stringify(kubeconfig) });
}

function kubeProxy({ kubernetesVersion, endpoint, kubeProxy: state }: KubeadmCluster): KubeObject[] {
  const labels = { 'k8s-app': 'kube-proxy' };
  const proxyConfiguration = {
    apiVersion: 'kubeproxy.config.k8s.io/v1alpha1',
    kind: 'KubeProxyConfiguration',
    bindAddress: '0.0.0.0',
    clientConnection: { kubeconfig: '/var/lib/kube-proxy/kubeconfig.conf' },
    clusterCIDR: podSubnet,
    healthzBindAddress: '',
    metricsBindAddress: '',
    mode: '',
  };
  const kubeconfig = {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [
      {
        name: 'default',
        cluster: {
          server: `https://${endpoint}`,
          'certificate-authority': '/var/run/secrets/kubernetes.io/serviceaccount/ca.crt',
        },
      },
    ],
    contexts: [{ name: 'default', context: { cluster: 'default', namespace: 'default', user: 'default' } }],
    'current-context': 'default',
    users: [{ name: 'default', user: { tokenFile: '/var/run/secrets/kubernetes.io/serviceaccount/token' } }],
  };
  return [
    serviceAccount('kube-proxy'),
    {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'ClusterRoleBinding',
      metadata: { name: 'kubeadm:node-proxier' },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'system:node-proxier' },
      subjects: [{ kind: 'ServiceAccount', name: 'kube-proxy', namespace: 'kube-system' }],
    },
    configMap('kube-system', 'kube-proxy', {
      'config.conf': stringify(proxyConfiguration),
      'kubeconfig.conf': stringify(kubeconfig),
    }),
    {
      apiVersion: 'apps/v1',
      kind: 'DaemonSet',
      metadata: { namespace: 'kube-system', name: 'kube-proxy', labels },
      spec: {
        selector: { matchLabels: labels },
        updateStrategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 1, maxSurge: 0 } },
        template: {
          metadata: { labels },
          spec: {
            hostNetwork: true,
            nodeSelector: {
              'kubernetes.io/os': 'linux',
              ...(state === 'turned-off-by-selector' ? { 'non-calico': 'true' } : {}),
            },
            priorityClassName: 'system-node-critical',
            serviceAccountName: 'kube-proxy',
            tolerations: [{ operator: 'Exists' }],
            containers: [
              {
                name: 'kube-proxy',
                image: `registry.k8s.io/kube-proxy:${kubernetesVersion}`,
                command: [
                  '/usr/local/bin/kube-proxy',
                  '--config=/var/lib/kube-proxy/config.conf',
                  '--hostname-override=$(NODE_NAME)',
                ],
                env: [{ name: 'NODE_NAME', valueFrom: { fieldRef: { fieldPath: 'spec.nodeName' } } }],
                securityContext: { privileged: true },
                volumeMounts: [
                  { name: 'kube-proxy', mountPath: '/var/lib/kube-proxy' },
                  { name: 'xtables-lock', mountPath: '/run/xtables.lock' },
                  { name: 'lib-modules', mountPath: '/lib/modules', readOnly: true },
                ],
              },
            ],
            volumes: [
              { name: 'kube-proxy', configMap: { name: 'kube-proxy' } },
              { name: 'xtables-lock', hostPath: { path: '/run/xtables.lock', type: 'FileOrCreate' } },
              { name: 'lib-modules', hostPath: { path: '/lib/modules' } },
            ],
          },
        },
      },
    },
  ];
}

function coreDns(): KubeObject[] {
  const labels = { 'k8s-app': 'kube-dns' };
  return [
    serviceAccount('coredns'),
    configMap('kube-system', 'coredns', {
      Corefile:
        '.:53 {\n    errors\n    health\n    ready\n    kubernetes cluster.local in-addr.arpa ip6.arpa\n    forward . /etc/resolv.conf\n    cache 30\n}\n',
    }),
    {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: {
        namespace: 'kube-system',
        name: 'kube-dns',
        labels: { ...labels, 'kubernetes.io/cluster-service': 'true', 'kubernetes.io/name': 'CoreDNS' },
      },
      spec: {
        clusterIP: dnsAddress,
        selector: labels,
        ports: [
          { name: 'dns', port: 53, protocol: 'UDP', targetPort: 53 },
          { name: 'dns-tcp', port: 53, protocol: 'TCP', targetPort: 53 },
          { name: 'metrics', port: 9153, protocol: 'TCP', targetPort: 9153 },
        ],
      },
    },
    {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { namespace: 'kube-system', name: 'coredns', labels },
      spec: {
        replicas: 2,
        selector: { matchLabels: labels },
        strategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 1 } },
        template: {
          metadata: { labels },
          spec: {
            serviceAccountName: 'coredns',
            priorityClassName: 'system-cluster-critical',
            tolerations: [
              { key: 'CriticalAddonsOnly', operator: 'Exists' },
              { key: 'node-role.kubernetes.io/control-plane', effect: 'NoSchedule' },
            ],
            nodeSelector: { 'kubernetes.io/os': 'linux' },
            dnsPolicy: 'Default',
            containers: [
              {
                name: 'coredns',
                image: 'registry.k8s.io/coredns/coredns:v1.13.1',
                args: ['-conf', '/etc/coredns/Corefile'],
                volumeMounts: [{ name: 'config-volume', mountPath: '/etc/coredns', readOnly: true }],
              },
            ],
            volumes: [
              { name: 'config-volume', configMap: { name: 'coredns', items: [{ key: 'Corefile', path: 'Corefile' }] } },
            ],
          },
        },
      },
    },
  ];
}

/** The API server would write these two itself, with its loopback address; so its reconciler is off, and they say what nodes would see. */
function apiServerEndpoints(): KubeObject[] {
  const address = nodeAddress(1);
  return [
    {
      apiVersion: 'v1',
      kind: 'Endpoints',
      metadata: {
        namespace: 'default',
        name: 'kubernetes',
        labels: { 'endpointslice.kubernetes.io/skip-mirror': 'true' },
      },
      subsets: [{ addresses: [{ ip: address }], ports: [{ name: 'https', port: 6443, protocol: 'TCP' }] }],
    },
    {
      apiVersion: 'discovery.k8s.io/v1',
      kind: 'EndpointSlice',
      metadata: { namespace: 'default', name: 'kubernetes', labels: { 'kubernetes.io/service-name': 'kubernetes' } },
      addressType: 'IPv4',
      endpoints: [{ addresses: [address], conditions: { ready: true } }],
      ports: [{ name: 'https', port: 6443, protocol: 'TCP' }],
    },
  ];
}

/** Mirror pods, as the kubelet of the control plane node shows its static pods. */
function staticPods({ kubernetesVersion }: KubeadmCluster): KubeObject[] {
  const images: Readonly<Record<string, string>> = {
    'kube-apiserver': `registry.k8s.io/kube-apiserver:${kubernetesVersion}`,
    'kube-controller-manager': `registry.k8s.io/kube-controller-manager:${kubernetesVersion}`,
    'kube-scheduler': `registry.k8s.io/kube-scheduler:${kubernetesVersion}`,
    etcd: 'registry.k8s.io/etcd:3.6.6-0',
  };
  return Object.entries(images).map(([component, image]) => ({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      namespace: 'kube-system',
      name: `${component}-control-1`,
      labels: { component, tier: 'control-plane' },
      annotations: {
        'kubernetes.io/config.mirror': '0',
        'kubernetes.io/config.source': 'file',
        ...(component === 'kube-apiserver'
          ? { 'kubeadm.kubernetes.io/kube-apiserver.advertise-address.endpoint': `${nodeAddress(1)}:6443` }
          : {}),
      },
    },
    spec: {
      nodeName: 'control-1',
      hostNetwork: true,
      priorityClassName: 'system-node-critical',
      tolerations: [{ operator: 'Exists' }],
      containers: [{ name: component, image, command: [component] }],
    },
  }));
}
