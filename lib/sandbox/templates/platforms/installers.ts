import type { KubeObject } from '#lib/kube/index.ts';
import { names } from '#lib/spec/index.ts';
import { dnsServiceIP } from '../cluster-shape.ts';
import { dnsCache } from '../failures/features.ts';
import { byManifest } from '../manifest.ts';
import { everyNode, sixWorkers } from '../nodes.ts';
import { configMap, daemon } from '../objects.ts';
import type { Samples } from '../sample.ts';
import { adding, all, changing, marking, noKubeProxy, notByKubeadm, replacing } from '../variations.ts';
import { kopsDiffers } from './clouds.ts';

const gardenerHost = 'api.web.dev.sandbox.example';
const gardenerProxy = 'kube-proxy-worker-a-v1.34.3';

/** Gardener's resource manager marks all objects that it applies (gardener/gardener docs/concepts/resource-manager.md › Origin). */
const byGardener = (resource: string) => ({
  labels: { 'resources.gardener.cloud/managed-by': 'gardener' },
  annotations: { 'resources.gardener.cloud/origin': `seed-1:shoot--dev--web/${resource}` },
});

/** Gardener runs one DaemonSet for each pool of workers, with a ConfigMap of its own (gardener/gardener pkg/component/kubernetes/proxy). */
const gardenerProxies: readonly KubeObject[] = [
  configMap('kube-system', 'kube-proxy-config-1a2b3c4d', {
    'config.yaml': 'apiVersion: kubeproxy.config.k8s.io/v1alpha1\nkind: KubeProxyConfiguration\nmode: iptables\n',
  }),
  daemon('kube-system', gardenerProxy, 'images.sandbox.example/kube-proxy:v1.34.3', {
    labels: { app: 'kubernetes', role: 'proxy' },
    container: {
      name: 'kube-proxy',
      command: ['/usr/local/bin/kube-proxy', '--config=/var/lib/kube-proxy-config/config.yaml'],
    },
    pod: {
      nodeSelector: { 'kubernetes.io/os': 'linux', 'worker.gardener.cloud/pool': 'worker-a' },
      volumes: [{ configMap: { defaultMode: 420, name: 'kube-proxy-config-1a2b3c4d' }, name: 'kube-proxy-config' }],
    },
  }),
];

/** Nodes as MicroK8s' snap starts their kubelets (canonical/microk8s microk8s-resources/default-args/kubelet; read 2026-11-23). */
const microK8sNodes = everyNode((_node, index) => ({
  name: `microk8s-${index}`,
  labels: { 'microk8s.io/cluster': 'true', 'node.kubernetes.io/microk8s-controlplane': 'microk8s-controlplane' },
  osImage: 'Ubuntu 24.04.3 LTS',
  kernel: '6.8.0-85-generic',
}));

/**
 * Clusters whose installer writes Calico's manifest itself and has its own way to eBPF, and a cluster that no installer made
 * (lib/spec/platforms/installers.ts).
 */
export const installers: Samples = {
  kubespray: {
    shows: 'kubespray as it comes: its calico.yaml, kube-proxy in IPVS mode and a DNS cache on each node',
    differs: {
      proxy: { mode: 'ipvs', turnedOff: false },
      variation: all(
        byManifest('calico', { encapsulation: 'VXLAN' }),
        changing(
          'kube-system/ConfigMap/kubeadm-config',
          replacing(['certificatesDir: /etc/kubernetes/pki', 'certificatesDir: /etc/kubernetes/ssl']),
        ),
        adding(...dnsCache({ binds: '169.254.25.10', asks: dnsServiceIP })),
      ),
    },
    calico: 'absent',
  },
  'kops-calico': {
    shows: 'kOps with networking: calico: it writes the manifest, and the cluster spec is the way to eBPF',
    differs: {
      ...kopsDiffers,
      variation: all(
        ...(kopsDiffers.variation ? [kopsDiffers.variation] : []),
        byManifest('calico'),
        marking('kube-system/DaemonSet/calico-node', {
          labels: { 'addon.kops.k8s.io/name': 'networking.projectcalico.org', [names.managedByLabel]: 'kops' },
        }),
      ),
    },
    calico: 'absent',
  },
  gardener: {
    shows: 'Gardener: its Shoot says what Calico does, and kube-proxy has a DaemonSet for each pool of workers',
    differs: {
      nodes: sixWorkers((index) => ({
        name: `shoot--dev--web-worker-a-z1-5d8f9-000${index}`,
        providerID: `openstack:///00000000-0000-4000-8000-00000000000${index}`,
        labels: { 'worker.gardener.cloud/pool': 'worker-a' },
        osImage: 'Garden Linux 1877.3',
        kernel: '6.12.40-cloud-amd64',
      })),
      controlPlaneEndpoint: `${gardenerHost}:443`,
      apiServers: ['203.0.113.30'],
      apiServerPort: 443,
      variation: all(
        notByKubeadm(`${gardenerHost}:443`, '203.0.113.30:443'),
        noKubeProxy,
        byManifest('calico'),
        adding(...gardenerProxies),
        marking('kube-system/DaemonSet/calico-node', byGardener('extension-networking-calico-config')),
        marking(`kube-system/DaemonSet/${gardenerProxy}`, byGardener('shoot-core-kube-proxy-worker-a-v1.34.3')),
      ),
    },
    calico: 'absent',
  },
  microk8s: {
    shows:
      "MicroK8s as it comes: its manifest of Calico with the snap's paths, kube-proxy inside of each node's kubelet",
    differs: {
      nodes: microK8sNodes,
      controlPlaneEndpoint: '10.0.0.11:16443',
      apiServerPort: 16443,
      variation: all(
        notByKubeadm('10.0.0.11:16443'),
        noKubeProxy,
        byManifest('calico', { encapsulation: 'VXLAN' }),
        changing('kube-system/DaemonSet/calico-node', (object) => {
          const { template, ...spec } = Object(object.spec);
          const volumes = [
            { name: 'var-run-calico', hostPath: { path: '/var/snap/microk8s/current/var/run/calico', type: '' } },
            { name: 'cni-net-dir', hostPath: { path: '/var/snap/microk8s/current/args/cni-network', type: '' } },
          ];
          return { ...object, spec: { ...spec, template: { ...template, spec: { ...template.spec, volumes } } } };
        }),
      ),
    },
    calico: 'absent',
  },
  'microk8s-operator': {
    shows: "MicroK8s with Calico by the operator in place of its own: kube-proxy inside of each node's kubelet",
    differs: {
      nodes: microK8sNodes,
      controlPlaneEndpoint: '10.0.0.11:16443',
      apiServerPort: 16443,
      variation: all(notByKubeadm('10.0.0.11:16443'), noKubeProxy),
    },
  },
  'hard-way': {
    shows: 'Kubernetes the hard way: kube-proxy is a systemd service of each node, which the API does not show',
    differs: {
      nodes: everyNode((_node, index) => ({
        name: `node-${index}`,
        role: 'worker',
        osImage: 'Debian GNU/Linux 12 (bookworm)',
        kernel: '6.1.0-32-amd64',
      })),
      controlPlaneEndpoint: 'server.sandbox.example:6443',
      apiServers: ['10.0.0.5'],
      variation: all(notByKubeadm('server.sandbox.example:6443', '10.0.0.5:6443'), noKubeProxy),
    },
  },
};
