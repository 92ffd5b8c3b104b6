import type { PlatformKind } from '../choices.ts';

/** A sign in a cluster's objects. In label and annotation keys, `*` at the end matches any continuation. */
export type Sign =
  | { readonly see: 'api-group'; readonly group: string }
  | { readonly see: 'node-label'; readonly key: string; readonly value?: string }
  | { readonly see: 'node-annotation'; readonly key: string }
  | { readonly see: 'provider-id'; readonly prefix: string }
  /** Matches `gitVersion` of the API server or `kubeletVersion` of a node. */
  | { readonly see: 'version'; readonly pattern: RegExp }
  | { readonly see: 'os-image'; readonly pattern: RegExp }
  | { readonly see: 'config-map'; readonly namespace: string; readonly name: string }
  /** Matches the value of a ConfigMap's key. */
  | {
      readonly see: 'config-map-text';
      readonly namespace: string;
      readonly name: string;
      readonly key: string;
      readonly pattern: RegExp;
    }
  | { readonly see: 'service-label'; readonly namespace: string; readonly name: string; readonly label: string };

export type PlatformSign = {
  readonly platform: PlatformKind;
  readonly sign: Sign;
  readonly source: string;
  /** When the source was read. */
  readonly read: string;
};

/**
 * How platforms are recognised. The first sign found decides, so the strongest come first: signs that only one platform has, then those that several can have (a cloud's providerID, an `-eks-` build used by EKS Anywhere, an API group that third parties install).
 */
export const platformSigns: readonly PlatformSign[] = [
  row('openshift', { see: 'api-group', group: 'config.openshift.io' }, 'calico.md §3.1 no. 2'),
  row('openshift', { see: 'node-label', key: 'node.openshift.io/os_id' }, 'observed: label of OpenShift nodes'),
  row('tkg', { see: 'api-group', group: 'core.tanzu.vmware.com' }, 'calico.md §3.1 no. 1'),
  row('tkg', { see: 'node-label', key: 'run.tanzu.vmware.com/*' }, 'observed: labels of TKG nodes'),
  row('tkg', { see: 'config-map', namespace: 'tkg-system-public', name: 'tkg-metadata' }, 'observed: TKG 1.x'),
  row(
    'tkg',
    {
      see: 'config-map-text',
      namespace: 'kube-system',
      name: 'kubeadm-config',
      key: 'ClusterConfiguration',
      pattern: /^[ \t]*kubernetesVersion:\s*["']?v[\d.]+\+vmware\b/m,
    },
    'observed: TKG is made by kubeadm, with the release’s own name as its version',
  ),
  row('tkg', { see: 'version', pattern: /\+vmware\b/ }, 'observed: TKG release names, v1.28.7+vmware.1'),
  row('rke2', { see: 'version', pattern: /\+rke2r\d/ }, 'observed: RKE2 release names, v1.31.3+rke2r1'),
  row('rke2', { see: 'provider-id', prefix: 'rke2://' }, 'observed: what the embedded cloud controller of RKE2 writes'),
  row('rke2', { see: 'node-annotation', key: 'rke2.io/node-args' }, 'observed: what the RKE2 agent writes'),
  row('k3s', { see: 'version', pattern: /\+k3s\d/ }, 'observed: K3s release names, v1.31.3+k3s1'),
  row('k3s', { see: 'provider-id', prefix: 'k3s://' }, 'observed: what the embedded cloud controller of K3s writes'),
  row('k3s', { see: 'node-annotation', key: 'k3s.io/node-args' }, 'observed: what the K3s agent writes'),
  row('mke', { see: 'node-label', key: 'com.docker.ucp*' }, 'calico.md §3.1 no. 3'),
  row('mke', { see: 'version', pattern: /-mirantis-\d/ }, 'observed: MKE release names, v1.27.10-mirantis-1'),
  row('aks', { see: 'node-label', key: 'kubernetes.azure.com/cluster' }, 'observed: label of AKS nodes'),
  row('gke', { see: 'node-label', key: 'cloud.google.com/gke-*' }, 'calico.md §3.1'),
  row('gke', { see: 'version', pattern: /-gke\.\d/ }, 'observed: GKE release names, v1.30.3-gke.1969001'),
  row('eks', { see: 'node-label', key: 'eks.amazonaws.com/*' }, 'observed: labels of EKS managed node groups'),
  row('eks', { see: 'node-label', key: 'alpha.eksctl.io/nodegroup-name' }, 'observed: label that eksctl writes'),
  row('kops', { see: 'node-label', key: 'kops.k8s.io/*' }, 'observed: labels of kOps nodes'),
  row('eks', { see: 'config-map', namespace: 'kube-system', name: 'aws-auth' }, 'calico.md §3.1 no. 4'),
  row(
    'eks',
    { see: 'config-map', namespace: 'kube-system', name: 'eks-certificates-controller' },
    'calico.md §3.1 no. 4',
  ),
  row(
    'eks',
    { see: 'service-label', namespace: 'kube-system', name: 'kube-dns', label: 'eks.amazonaws.com/component' },
    'calico.md §3.1 no. 4',
  ),
  row('kind', { see: 'provider-id', prefix: 'kind://' }, 'calico.md §3.1 no. 6'),
  row('talos', { see: 'os-image', pattern: /^Talos\b/ }, 'observed: Talos nodes'),
  row(
    'rke',
    { see: 'node-annotation', key: 'rke.cattle.io/internal-ip' },
    'observed: RKE1, whose successors use labels of that domain',
  ),
  row('rke', { see: 'node-annotation', key: 'rke.cattle.io/external-ip' }, 'observed: RKE1'),
  row(
    'rke',
    { see: 'config-map', namespace: 'kube-system', name: 'full-cluster-state' },
    'observed: the state that RKE1 keeps',
  ),
  row('kubeadm', { see: 'config-map', namespace: 'kube-system', name: 'kubeadm-config' }, 'observed: kubeadm'),
  row('kubeadm', { see: 'node-annotation', key: 'kubeadm.alpha.kubernetes.io/cri-socket' }, 'observed: kubeadm'),
  row(
    'eks',
    { see: 'version', pattern: /-eks-[0-9a-f]/ },
    'observed: EKS release names, v1.30.4-eks-a737599, which EKS Anywhere, a kubeadm, uses too',
  ),
  row('rke2', { see: 'config-map', namespace: 'kube-system', name: 'rke2' }, 'calico.md §3.1 no. 5'),
  row('k3s', { see: 'os-image', pattern: /^k3OS\b/i }, 'observed: k3OS runs nothing else'),
  row('gke', { see: 'api-group', group: 'networking.gke.io' }, 'calico.md §3.1 no. 1: third parties install it too'),
];

function row(platform: PlatformKind, sign: Sign, source: string): PlatformSign {
  return { platform, sign, source, read: '2026-11-21' };
}

/** Whether a label or annotation key matches a sign's key. */
export function keyMatches(pattern: string, key: string): boolean {
  return pattern.endsWith('*') ? key.startsWith(pattern.slice(0, -1)) : key === pattern;
}
