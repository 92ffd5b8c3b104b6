import { z } from 'zod';
import { isRecord } from '#lib/base/records.ts';
import {
  immutableSystems,
  isUnknown,
  nodeFolders,
  type PlatformKind,
  platformGuides,
  runsAgent,
} from '#lib/spec/index.ts';
import { defaultPools, type PoolProposal } from './default-pools.ts';
import { hasProviderAgent, type InstallationBasis, type InstallationFacts } from './installation-facts.ts';
import type { InstallationSpec, Provider } from './installation-spec.ts';
import type { Path } from './problem.ts';
import { publishedSpec } from './release-parts.ts';

/** A proposed field with the reason for its value. */
export type Reason = { readonly path: Path; readonly because: string };

export type ProposedInstallation = {
  readonly spec: InstallationSpec;
  /** In the order of the fields. A field without a reason has the published value. */
  readonly reasons: readonly Reason[];
};

type Field = { readonly path: readonly string[]; readonly value: unknown; readonly because: string };
const cniType = z.enum(['Calico', 'GKE', 'AmazonVPC', 'AzureVNET']);
type Cni = z.infer<typeof cniType>;

/**
 * The Installation proposed for this cluster: the published one with the changes that platform, ranges and answers need (calico.md §2, §13). Fields for which
 * the operator's default is right are left out.
 */
export function proposedInstallation(basis: InstallationBasis): ProposedInstallation {
  const { facts, choices, release } = basis;
  const begun = begunSpec.safeParse(facts.resources.objects['Installation/default']?.spec);
  if (begun.success) return begunInstallation(begun.data, basis);
  const published = release === null ? {} : publishedSpec(release);
  const kind = choices.platform ?? facts.platform.kind;
  const cni = cniFor(kind, basis);
  const pools = cni.type === 'Calico' ? defaultPools(facts, kind) : null;
  const fields: readonly Field[] = [
    ...providerField(kind, facts),
    ...cni.fields,
    ...dataplaneFields(basis),
    ...(pools ? poolFields(pools) : []),
    ...autodetectionFields(facts, pools),
    ...(ownFolders(facts, cni.type) ?? volumeFields(kind, facts)),
  ];
  const {
    ipPools: _published,
    bpfNetworkBootstrap: _b,
    kubeProxyManagement: _k,
    ...network
  } = published.calicoNetwork ?? {};
  // These fields decide others, so they come first.
  const { variant, kubernetesProvider, cni: publishedCni, ...others } = published;
  const spec: Record<string, unknown> = structuredClone({
    ...(variant ? { variant } : {}),
    ...leading({ kubernetesProvider, cni: publishedCni }, fields),
    ...others,
    calicoNetwork: network,
  });
  for (const { path, value } of fields) put(spec, path, value);
  return { spec, reasons: fields.flatMap(({ path, because }) => (because === '' ? [] : [{ path, because }])) };
}

/** The leading fields, published or proposed. They are set first, because an object keeps the position of an existing key. */
function leading(
  published: Pick<InstallationSpec, 'kubernetesProvider' | 'cni'>,
  fields: readonly Field[],
): Record<string, unknown> {
  const isProposed = (key: string) => fields.some(({ path }) => path[0] === key);
  return Object.fromEntries(
    Object.entries(published).flatMap(([key, value]) =>
      value !== undefined ? [[key, value]] : isProposed(key) ? [[key, {}]] : [],
    ),
  );
}

/** An existing spec with any content; invalid fields are reported as problems and do not make it replaceable. */
const begunSpec = z.record(z.string(), z.unknown());

/** An existing Installation is kept unchanged, because its author has decided it. */
function begunInstallation(begun: Readonly<Record<string, unknown>>, basis: InstallationBasis): ProposedInstallation {
  const spec: Record<string, unknown> = structuredClone(begun);
  const fields = dataplaneFields(basis);
  for (const { path, value } of fields) put(spec, path, value);
  return {
    spec,
    reasons: [
      {
        path: [],
        because:
          'This installation has begun already: Installation default is on the cluster, and stays as it is there.',
      },
      ...fields,
    ].map(({ path, because }) => ({ path, because })),
  };
}

/** The spec from the answers: the edited one, or else the proposal, with `set` over it (cli.md › Choices). Not validated yet. */
export function chosenInstallation(basis: InstallationBasis): Record<string, unknown> {
  return withSet(basis.choices.installation ?? proposedInstallation(basis).spec, basis.choices.set);
}

/** A copy of the document with `set` over it. */
export function withSet(
  document: Readonly<Record<string, unknown>>,
  set: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const spec: Record<string, unknown> = structuredClone(document);
  for (const [path, value] of Object.entries(set)) put(spec, path.split('.'), value);
  return spec;
}

function providerField(kind: PlatformKind, { platform }: InstallationFacts): Field[] {
  const guide = platformGuides.find((row) => row.kind === kind);
  const detected = platform.provider?.detected ?? null;
  const path = ['kubernetesProvider'];
  if (detected)
    return [
      {
        path,
        value: detected,
        because: `The operator detects ${detected} here by itself, and another value is an error to it.`,
      },
    ];
  const value: Provider = guide?.provider.value ?? '';
  if (value === '') return [];
  const how =
    guide?.provider.by === 'set by hand'
      ? `The operator never detects ${guide.title.split(' ')[0]} by itself.`
      : `The platform is ${guide?.title.split(' ')[0]}.`;
  return [{ path, value, because: `${how} Paths and defaults follow from it.` }];
}

const ipams: Readonly<Record<Cni, string>> = {
  Calico: 'Calico',
  GKE: 'HostLocal',
  AmazonVPC: 'AmazonVPC',
  AzureVNET: 'AzureVNET',
};

/**
 * The CNI that connects pods, if more than one is possible, with its fields. Otherwise it is Calico's, which needs no field: IPAM and BGP follow from it
 * (calico.md §2.1). If an answer names another CNI, the fields of the proposed one are dropped.
 */
function cniFor(kind: PlatformKind, { facts, choices }: InstallationBasis): { type: Cni; fields: readonly Field[] } {
  const found = cniReason(kind, facts);
  const answered = cniType.safeParse(choices.set['cni.type']).data;
  const decided = answered && answered !== found?.type ? { type: answered, because: 'This CNI was chosen.' } : found;
  if (decided === null) return { type: 'Calico', fields: [] };
  const { type, because } = decided;
  const chosen: Field = { path: ['cni', 'type'], value: type, because };
  if (type === 'Calico') return { type, fields: [chosen] };
  return {
    type,
    fields: [
      chosen,
      { path: ['cni', 'ipam', 'type'], value: ipams[type], because: `The only one that goes with CNI ${type}.` },
      {
        path: ['calicoNetwork', 'bgp'],
        value: 'Disabled',
        because: `With CNI ${type} the provider's own network has the routes.`,
      },
    ],
  };
}

function cniReason(kind: PlatformKind, facts: InstallationFacts): { type: Cni; because: string } | null {
  if (kind === 'gke') return { type: 'GKE', because: 'The only CNI that goes with GKE’s own network.' };
  if (kind === 'aks') return azureCni(facts);
  if (hasProviderAgent(facts, 'AmazonVPC')) {
    const provider =
      facts.platform.provider?.detected || platformGuides.find((row) => row.kind === kind)?.provider.value;
    return !provider || provider === 'EKS'
      ? {
          type: 'AmazonVPC',
          because:
            'DaemonSet kube-system/aws-node connects the pods: they keep their addresses in the VPC, and no overlay is needed. With CNI Calico the plan deletes aws-node first.',
        }
      : {
          type: 'Calico',
          because: `AmazonVPC does not go with ${provider}, and without a value the operator would take it: DaemonSet kube-system/aws-node is there.`,
        };
  }
  return kind === 'eks'
    ? {
        type: 'Calico',
        because: 'No DaemonSet kube-system/aws-node was found, and without a value the operator would take AmazonVPC.',
      }
    : null;
}

/**
 * The CNI on AKS, which has no setting for it in the API: its agent or messages of NotReady nodes show it. If neither does, Azure's is proposed: if Azure's runs,
 * Calico's beside it would break every pod; if not, nothing changes.
 */
function azureCni(facts: InstallationFacts): { type: Cni; because: string } {
  if (hasProviderAgent(facts, 'AzureVNET'))
    return {
      type: 'AzureVNET',
      because: 'DaemonSet kube-system/azure-cns connects the pods; Calico then enforces policy.',
    };
  const nodes = facts.nodes.filter(runsAgent);
  if (nodes.some(({ ready }) => ready))
    return {
      type: 'AzureVNET',
      because:
        'Nodes are Ready before Calico is there, so another CNI connects the pods; Calico then enforces policy. A cluster made with --network-plugin none needs CNI Calico.',
    };
  const waiting = nodes.find(({ notReady }) => notReady?.waitsFor === 'network');
  if (waiting)
    return {
      type: 'Calico',
      because: `Node ${waiting.name} says that it has no network, as in a cluster made with --network-plugin none; without a value the operator would take Azure’s CNI.`,
    };
  return {
    type: 'AzureVNET',
    because:
      'Nothing tells which network this cluster was made with: no node is Ready, and none says that it lacks a network. This is what AKS has unless it was made with --network-plugin none, which needs CNI Calico.',
  };
}

function dataplaneFields({ facts, choices }: InstallationBasis): Field[] {
  const dataplane = choices.dataplane ?? 'BPF';
  const chosen: Field = {
    path: ['calicoNetwork', 'linuxDataplane'],
    value: dataplane,
    because:
      dataplane === 'BPF'
        ? 'eBPF from the start: on a new cluster there are no connections that a later switch would cut.'
        : 'The standard data plane was chosen; eBPF can be enabled later.',
  };
  if (choices.automatic !== true || dataplane !== 'BPF') return [chosen];
  return [
    chosen,
    {
      path: ['calicoNetwork', 'bpfNetworkBootstrap'],
      value: 'Enabled',
      because: 'Automatic mode: the operator reads the API servers’ addresses itself.',
    },
    // Without kube-proxy's DaemonSet, TigeraStatus kubeproxy-monitor would stay Degraded for ever (calico.md §13 no. 6).
    ...(facts.proxy.kind === 'daemonset'
      ? [
          {
            path: ['calicoNetwork', 'kubeProxyManagement'],
            value: 'Enabled',
            because: 'Automatic mode: the operator turns DaemonSet kube-system/kube-proxy off.',
          },
        ]
      : []),
  ];
}

function poolFields({ pools, because }: PoolProposal): Field[] {
  return [{ path: ['calicoNetwork', 'ipPools'], value: pools, because }];
}

/**
 * Address autodetection for IPv6: on a new cluster the operator cannot derive the family from a pool, and waits for ever if eBPF gets an IPv6 pool without a
 * method (calico.md §13 no. 8).
 */
function autodetectionFields(facts: InstallationFacts, pools: PoolProposal | null): Field[] {
  const hasV6 = pools?.pools.some(({ cidr }) => cidr.includes(':')) ?? false;
  if (!hasV6) return [];
  const isKnown = facts.nodes.filter(runsAgent).every(({ addresses }) => addresses.some((one) => one.includes(':')));
  return [
    {
      path: ['calicoNetwork', 'nodeAddressAutodetectionV6'],
      value: isKnown ? { kubernetes: 'NodeInternalIP' } : { firstFound: true },
      because: isKnown
        ? 'eBPF with an IPv6 pool needs a method, and every node names its IPv6 address in the Kubernetes API.'
        : 'eBPF with an IPv6 pool needs a method, and not every node names an IPv6 address in the Kubernetes API.',
    },
  ];
}

/** Folders of the tool that created all nodes, if they differ from the operator's defaults; null: they do not. Without Calico's CNI there are no plugins. */
function ownFolders({ nodes }: InstallationFacts, cni: string): Field[] | null {
  const all = nodes.filter(runsAgent);
  const own = nodeFolders.find(({ installer }) => all.length > 0 && all.every((node) => node.installer === installer));
  return own?.fields.filter(({ path }) => path[0] !== 'cni' || cni === 'Calico') ?? null;
}

/** On systems with a read-only /usr, the operator's default folder for FlexVolume cannot be created (calico.md §13 no. 14, pain C7). */
function volumeFields(kind: PlatformKind, { nodes }: InstallationFacts): Field[] {
  const system = immutableSystems.find(({ id }) => nodes.some(({ distribution }) => distribution.id === id));
  const usual = platformGuides.find((row) => row.kind === kind)?.flexVolumePath;
  if (system === undefined || (typeof usual === 'string' && !usual.startsWith('/usr/'))) return [];
  const path = ['flexVolumePath'];
  const { flexVolumePath } = system;
  if (!isUnknown(flexVolumePath) && /^\/\S+\/$/.test(flexVolumePath))
    return [
      {
        path,
        value: flexVolumePath,
        because: `/usr of ${system.title} cannot be written. The slash at the end is needed: the operator appends a name without one.`,
      },
    ];
  const none: Field = {
    path,
    value: 'None',
    because: `/usr of ${system.title} cannot be written, where the operator would put its FlexVolume driver. It is needed only for policy of Istio’s application layer.`,
  };
  if (system.id !== 'talos') return [none];
  return [none, { path: ['kubeletVolumePluginPath'], value: 'None', because: 'Talos’ own guide to Calico sets it.' }];
}

/** Sets a value at a path and creates missing records. Throws for `__proto__` and similar keys. */
function put(record: Record<string, unknown>, path: readonly string[], value: unknown): void {
  const [key = '', ...rest] = path;
  if (['__proto__', 'constructor', 'prototype'].includes(key)) return;
  if (rest.length === 0) {
    record[key] = value;
    return;
  }
  const below = record[key];
  const next = isRecord(below) ? below : {};
  record[key] = next;
  put(next, rest, value);
}
