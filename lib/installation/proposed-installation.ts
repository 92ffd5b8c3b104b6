import { z } from 'zod';
import { isRecord } from '#lib/base/records.ts';
import {
  immutableSystems,
  isUnknown,
  nodeFolders,
  type PlatformKind,
  platformGuides,
  platformIn,
  runsAgent,
} from '#lib/spec/index.ts';
import type { InstallationBasis, InstallationFacts, ProposedField } from './installation-facts.ts';
import type { InstallationSpec, Provider } from './installation-spec.ts';
import { defaultPools, type PoolProposal } from './pools/default-pools.ts';
import type { Path } from './problem.ts';
import { cniFor } from './proposed-cni.ts';
import { publishedSpec } from './release-parts.ts';

/** A proposed field with the reason for its value. */
export type Reason = { readonly path: Path; readonly because: string };

export type ProposedInstallation = {
  readonly spec: InstallationSpec;
  /** In the order of the fields. A field without a reason has the published value. */
  readonly reasons: readonly Reason[];
};

/**
 * The Installation proposed for this cluster: the published one with the changes that platform, ranges and answers need (calico.md §2, §13). Fields for which
 * the operator's default is right are left out.
 */
export function proposedInstallation(basis: InstallationBasis): ProposedInstallation {
  const { facts, choices, release } = basis;
  const begun = begunSpec.safeParse(facts.resources.objects['Installation/default']?.spec);
  if (begun.success) return begunInstallation(begun.data, basis);
  const published = release === null ? {} : publishedSpec(release);
  const kind = platformIn(facts, choices);
  const cni = cniFor(kind, basis);
  const pools = cni.type === 'Calico' ? defaultPools(facts, kind) : null;
  const fields: readonly ProposedField[] = [
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
  fields: readonly ProposedField[],
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

function providerField(kind: PlatformKind, { platform }: InstallationFacts): ProposedField[] {
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

function dataplaneFields({ facts, choices }: InstallationBasis): ProposedField[] {
  const dataplane = choices.dataplane ?? 'BPF';
  const chosen: ProposedField = {
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

function poolFields({ pools, because }: PoolProposal): ProposedField[] {
  return [{ path: ['calicoNetwork', 'ipPools'], value: pools, because }];
}

/**
 * Address autodetection for IPv6: on a new cluster the operator cannot derive the family from a pool, and waits for ever if eBPF gets an IPv6 pool without a
 * method (calico.md §13 no. 8).
 */
function autodetectionFields(facts: InstallationFacts, pools: PoolProposal | null): ProposedField[] {
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
function ownFolders({ nodes }: InstallationFacts, cni: string): ProposedField[] | null {
  const all = nodes.filter(runsAgent);
  const own = nodeFolders.find(({ installer }) => all.length > 0 && all.every((node) => node.installer === installer));
  return own?.fields.filter(({ path }) => path[0] !== 'cni' || cni === 'Calico') ?? null;
}

/** On systems with a read-only /usr, the operator's default folder for FlexVolume cannot be created (calico.md §13 no. 14, pain C7). */
function volumeFields(kind: PlatformKind, { nodes }: InstallationFacts): ProposedField[] {
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
  const none: ProposedField = {
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
