import type { Choices, NotReady, PlatformKind, ReleaseContents } from '#lib/spec/index.ts';
import type { Provider } from './installation-spec.ts';

/** The part of Facts that a proposal and its validation read. */
export type InstallationFacts = {
  readonly cluster: {
    readonly serviceCIDRs: readonly string[];
    readonly podCIDRs: readonly string[];
    /** Source of the ranges: `openshift`, `kubeadm`, `controller-manager`, `distribution`, `kube-proxy`, `nodes` (their podCIDRs so far); null: none. */
    readonly podCIDRsFrom: string | null;
  };
  readonly platform: {
    readonly kind: PlatformKind;
    /** The provider that the operator detects when it starts; null: unknown. */
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
  /** Whether these lists were read whole: an empty one says something only then. */
  readonly coverage: Readonly<Partial<Record<'nodes' | 'pools', { readonly covered: boolean }>>>;
  readonly resources: { readonly objects: Readonly<Record<string, Readonly<Record<string, unknown>> | null>> };
};

export type InstallationNode = {
  readonly name: string;
  readonly os: string;
  readonly ready: boolean;
  /** Why the node is not ready, by its kubelet; null: it is ready. */
  readonly notReady: Pick<NotReady, 'waitsFor'> | null;
  readonly addresses: readonly string[];
  readonly distribution: { readonly id: string };
  readonly providerID: string | null;
  readonly virtual: boolean;
  /** The tool that created the node, if it shows. */
  readonly installer?: string | undefined;
};

/** The answers that an Installation depends on. */
export type InstallationChoices = Pick<Choices, 'platform' | 'dataplane' | 'automatic' | 'installation' | 'set'>;

/** The input of a proposed Installation. `release` is null until its files are open. */
export type InstallationBasis = {
  readonly facts: InstallationFacts;
  readonly choices: InstallationChoices;
  readonly release: Pick<ReleaseContents, 'version' | 'operator' | 'manifests'> | null;
};

/** DaemonSets of providers' own networks. While `aws-node` exists, the operator uses the Amazon VPC CNI (calico.md §2.1). */
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

/** A field of the proposal. A reason that is empty is not shown. */
export type ProposedField = { readonly path: readonly string[]; readonly value: unknown; readonly because: string };
