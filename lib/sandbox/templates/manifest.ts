import type { KubeObject } from '#lib/kube/index.ts';
import { containerDefaults, ipPoolOf, podDefaults, sandboxDefinitions } from '#lib/operator/index.ts';
import { podSubnet } from './cluster-shape.ts';
import { configMap, daemon } from './objects.ts';
import { release } from './release.ts';
import { adding } from './variations.ts';

type Manifest = 'calico' | 'calico-etcd' | 'canal';

const { calicoVersion } = release;

/** What `kubectl apply -f` of one of the public manifests leaves (calico.md §9). No operator, no Installation. */
export function byManifest(manifest: Manifest, encapsulation: 'IPIP' | 'VXLAN' = 'IPIP') {
  const isEtcd = manifest === 'calico-etcd';
  return adding(
    ...calicoDefinitions(),
    settings(manifest),
    agent(manifest),
    ...(isEtcd ? [] : data(encapsulation)),
    controllers(),
  );
}

/** Without the operator's own kinds, which no manifest brings. */
function calicoDefinitions(): KubeObject[] {
  return sandboxDefinitions().filter(({ metadata }) => metadata.name?.endsWith('.crd.projectcalico.org'));
}

function settings(manifest: Manifest): KubeObject {
  const name = manifest === 'canal' ? 'canal-config' : 'calico-config';
  const typha = { typha_service_name: 'none', veth_mtu: '0' };
  if (manifest === 'canal') return configMap('kube-system', name, { ...typha, canal_iface: '', masquerade: 'true' });
  const etcd = { etcd_endpoints: 'https://10.0.0.11:2379', etcd_ca: '/calico-secrets/etcd-ca' };
  return configMap('kube-system', name, {
    ...typha,
    calico_backend: 'bird',
    ...(manifest === 'calico-etcd' ? etcd : {}),
  });
}

/** Its DaemonSet; `pod` for what else its pods have. */
export function agent(manifest: Manifest, pod: Record<string, unknown> = {}): KubeObject {
  const isCanal = manifest === 'canal';
  const store =
    manifest === 'calico-etcd'
      ? { name: 'ETCD_ENDPOINTS', valueFrom: { configMapKeyRef: { name: 'calico-config', key: 'etcd_endpoints' } } }
      : { name: 'DATASTORE_TYPE', value: 'kubernetes' };
  const backend = isCanal
    ? { name: 'CALICO_NETWORKING_BACKEND', value: 'none' }
    : {
        name: 'CALICO_NETWORKING_BACKEND',
        valueFrom: { configMapKeyRef: { name: 'calico-config', key: 'calico_backend' } },
      };
  const install = { ...containerDefaults, image: `quay.io/calico/cni:${calicoVersion}`, name: 'install-cni' };
  const flannel = { ...containerDefaults, image: 'images.sandbox.example/flannel:v0.24.4', name: 'kube-flannel' };
  const felix = {
    ...containerDefaults,
    env: [store, backend, { name: 'FELIX_IPV6SUPPORT', value: 'false' }],
    image: `quay.io/calico/node:${calicoVersion}`,
    name: 'calico-node',
  };
  return daemon('kube-system', isCanal ? 'canal' : 'calico-node', '', {
    labels: { 'k8s-app': isCanal ? 'canal' : 'calico-node' },
    pod: { containers: isCanal ? [felix, flannel] : [felix], initContainers: [install], ...pod },
  });
}

/** The kinds of the datastore in the API; an etcd installation has none there. */
function data(encapsulation: 'IPIP' | 'VXLAN'): KubeObject[] {
  const crd = (kind: string, spec: Record<string, unknown>): KubeObject => ({
    apiVersion: 'crd.projectcalico.org/v1',
    kind,
    metadata: { name: 'default', generation: 1 },
    spec,
  });
  const { labels: _ours, ...metadata } = ipPoolOf({ name: 'default-ipv4-ippool', cidr: podSubnet }).metadata;
  const pool = ipPoolOf({
    name: 'default-ipv4-ippool',
    cidr: podSubnet,
    encapsulation,
    natOutgoing: 'Enabled',
    blockSize: 26,
  });
  return [
    crd('FelixConfiguration', {
      bpfConnectTimeLoadBalancing: 'TCP',
      floatingIPs: 'Disabled',
      logSeverityScreen: 'Info',
    }),
    crd('ClusterInformation', { calicoVersion, clusterType: 'k8s,bgp,kdd', datastoreReady: true }),
    { ...pool, metadata: { ...metadata, generation: 1 } },
  ];
}

function controllers(): KubeObject {
  const labels = { 'k8s-app': 'calico-kube-controllers' };
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'calico-kube-controllers', namespace: 'kube-system', labels },
    spec: {
      progressDeadlineSeconds: 600,
      replicas: 1,
      revisionHistoryLimit: 10,
      selector: { matchLabels: labels },
      strategy: { type: 'Recreate' },
      template: {
        metadata: { labels },
        spec: {
          ...podDefaults,
          containers: [
            {
              ...containerDefaults,
              image: `quay.io/calico/kube-controllers:${calicoVersion}`,
              name: 'calico-kube-controllers',
              env: [{ name: 'ENABLED_CONTROLLERS', value: 'node,loadbalancer' }],
            },
          ],
          dnsPolicy: 'ClusterFirst',
          nodeSelector: { 'kubernetes.io/os': 'linux' },
          serviceAccount: 'calico-kube-controllers',
          serviceAccountName: 'calico-kube-controllers',
          terminationGracePeriodSeconds: 30,
          tolerations: [{ key: 'CriticalAddonsOnly', operator: 'Exists' }],
        },
      },
    },
  };
}
