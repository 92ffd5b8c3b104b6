import type { Choices, NotReady, PlatformKind, ReleaseContents } from '#lib/spec/index.ts';
import type { Provider } from './installation-spec.ts';

/** What a proposal and its problems need to know of a cluster: the part of Facts that they read, and no more. */
export type InstallationFacts = {
  readonly cluster: {
    readonly serviceCIDRs: readonly string[];
    readonly podCIDRs: readonly string[];
    /** Who says so: `openshift`, `kubeadm`, `controller-manager`, `distribution`, `kube-proxy`, `nodes` (what was handed out so far); null: nobody. */
    readonly podCIDRsFrom: string | null;
  };
  readonly platform: {
    readonly kind: PlatformKind;
    /** What the operator detects when it starts; null: not known. */
    readonly provider: { readonly detected: Provider } | null;
  };
  readonly nodes: readonly InstallationNode[];
  readonly installation: { readonly otherNetworks: readonly { readonly object: string }[] };
  readonly proxy: { readonly kind: string };
  readonly endpoint: {
    readonly configMap: object | null;
    readonly apiServers: readonly string[];
    /** Addresses of Service default/kubernetes. */
    readonly clusterIPs: readonly string[];
  };
  readonly pools: readonly { readonly cidr: string }[];
  readonly resources: { readonly objects: Readonly<Record<string, Readonly<Record<string, unknown>> | null>> };
};

export type InstallationNode = {
  readonly name: string;
  readonly os: string;
  readonly ready: boolean;
  /** Why not, by its kubelet's own word; null: it is ready. */
  readonly notReady: Pick<NotReady, 'waitsFor'> | null;
  readonly addresses: readonly string[];
  readonly distribution: { readonly id: string };
  readonly providerID: string | null;
  readonly virtual: boolean;
  /** The tool that made it, where it tells. */
  readonly installer?: string | undefined;
};

/** The answers that an Installation depends on. */
export type InstallationChoices = Pick<Choices, 'platform' | 'dataplane' | 'automatic' | 'installation' | 'set'>;

/** What an Installation is made from. `release` is null while its files are not there: then nothing of it is known. */
export type InstallationBasis = {
  readonly facts: InstallationFacts;
  readonly choices: InstallationChoices;
  readonly release: Pick<ReleaseContents, 'version' | 'operator' | 'manifests'> | null;
};

/** DaemonSets by which a provider connects pods itself. As long as `aws-node` is there, the operator takes the Amazon VPC CNI (calico.md §2.1). */
const providerAgents = {
  AmazonVPC: 'kube-system/DaemonSet/aws-node',
  AzureVNET: 'kube-system/DaemonSet/azure-cns',
} as const;

export function hasProviderAgent(
  { installation, resources }: InstallationFacts,
  cni: keyof typeof providerAgents,
): boolean {
  const agent = providerAgents[cni];
  return Boolean(resources.objects[agent]) || installation.otherNetworks.some(({ object }) => object === agent);
}
