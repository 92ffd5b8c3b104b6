import type { Provider } from '#lib/installation/index.ts';
import type { Discovery, KubeObject } from '#lib/kube/index.ts';

export type ProviderSigns = {
  discovery: Discovery;
  nodes: readonly KubeObject[];
  /** Names of the ConfigMaps in kube-system. */
  configMaps: readonly string[];
  services: readonly KubeObject[];
};

const servesGroup = (signs: ProviderSigns, group: string) =>
  signs.discovery.resources.some((one) => one.group === group);

/** Tried in this order, once at start (calico.md §3.1). AKS cannot be detected. */
const detections: readonly [Provider, (signs: ProviderSigns) => boolean][] = [
  ['GKE', (signs) => servesGroup(signs, 'networking.gke.io')],
  ['TKG', (signs) => servesGroup(signs, 'core.tanzu.vmware.com')],
  [
    'OpenShift',
    (signs) =>
      signs.discovery.resources.some((one) => one.group === 'config.openshift.io' && one.kind === 'ClusterVersion'),
  ],
  [
    'DockerEnterprise',
    (signs) =>
      signs.nodes.some((node) => {
        const labels = Object.keys(node.metadata.labels ?? {});
        return (
          labels.includes('node-role.kubernetes.io/master') &&
          labels.some((label) => label.startsWith('com.docker.ucp'))
        );
      }),
  ],
  [
    'EKS',
    (signs) =>
      signs.configMaps.some((name) => name === 'aws-auth' || name === 'eks-certificates-controller') ||
      signs.services.some(
        (service) =>
          service.metadata.name === 'kube-dns' &&
          service.metadata.labels?.['eks.amazonaws.com/component'] !== undefined,
      ),
  ],
  [
    'RKE2',
    (signs) =>
      signs.configMaps.includes('rke2') ||
      signs.services.some((service) => service.metadata.name === 'rke2-coredns-rke2-coredns'),
  ],
  ['Kind', (signs) => signs.nodes.some((node) => providerId(node).startsWith('kind://'))],
];

function providerId(node: KubeObject): string {
  const spec = node.spec;
  return typeof spec === 'object' && spec !== null && 'providerID' in spec ? String(spec.providerID) : '';
}

/** The provider of the cluster. `''`: none was detected. */
export function detectProvider(signs: ProviderSigns): Provider {
  return detections.find(([, detect]) => detect(signs))?.[0] ?? '';
}
