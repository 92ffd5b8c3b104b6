import { type Resource, resources } from '#lib/spec/index.ts';

/** A kind of `projectcalico.org/v3` with its names, and where its objects are stored. */
export type CalicoKind = {
  readonly shown: Resource;
  readonly singular: string;
  /** Other names that kubectl and calicoctl accept. */
  readonly shortNames: readonly string[];
  /** The resource in which Calico's API stores it; null: it is computed, or unknown to this table. */
  readonly stored: Resource | null;
  /** Why the stored object must not be written; null: it may be. */
  readonly readOnly: string | null;
  /** What Calico's API does before it deletes one, which deleting the stored object would skip; null: nothing. */
  readonly beforeDeletion: string | null;
};

type Row = {
  kind: string;
  plural: string;
  scope?: 'namespaced';
  shortNames?: readonly string[];
  /** Kind and plural in `crd.projectcalico.org/v1`, if they differ; null: nothing is stored. */
  stored?: { kind: string; plural: string } | null;
  readOnly?: string;
  beforeDeletion?: string;
};

/** Kinds that only Calico's components write; they revert or misread changes of others (calico.md §8; libcalico-go/lib/clientv3). */
const written = (by: string) => `${by} alone writes it`;

/**
 * apiserver/pkg/registry/projectcalico/rest/storage_calico.go (names that kubectl takes), calicoctl/resourcemgr/*.go (names that calicoctl takes)
 * and operator-crds.yaml of v3.31.4 (where they are stored); read 2026-11-23.
 */
const rows: readonly Row[] = [
  { kind: 'BGPConfiguration', plural: 'bgpconfigurations', shortNames: ['bgpconfig', 'bgpconfigs'] },
  { kind: 'BGPFilter', plural: 'bgpfilters' },
  { kind: 'BGPPeer', plural: 'bgppeers', shortNames: ['bgpp', 'bgpps', 'bp', 'bps'] },
  {
    kind: 'BlockAffinity',
    plural: 'blockaffinities',
    shortNames: ['affinity', 'affinities'],
    readOnly: written("Calico's address management"),
  },
  { kind: 'CalicoNodeStatus', plural: 'caliconodestatuses' },
  {
    kind: 'ClusterInformation',
    plural: 'clusterinformations',
    shortNames: ['clusterinfo', 'clusterinfos'],
    readOnly: written('calico-node'),
  },
  { kind: 'FelixConfiguration', plural: 'felixconfigurations', shortNames: ['felixconfig', 'felixconfigs'] },
  {
    kind: 'GlobalNetworkPolicy',
    plural: 'globalnetworkpolicies',
    shortNames: ['gnp', 'gnps', 'cgnp', 'calicoglobalnetworkpolicies'],
  },
  { kind: 'GlobalNetworkSet', plural: 'globalnetworksets' },
  { kind: 'HostEndpoint', plural: 'hostendpoints', shortNames: ['hep', 'heps'] },
  {
    kind: 'IPAMConfiguration',
    plural: 'ipamconfigurations',
    shortNames: ['ipamconfig'],
    stored: { kind: 'IPAMConfig', plural: 'ipamconfigs' },
  },
  {
    kind: 'IPPool',
    plural: 'ippools',
    shortNames: ['ipp', 'ipps', 'pool', 'pools'],
    // libcalico-go/lib/clientv3/ippool.go, Delete.
    beforeDeletion: 'releases the address blocks of the pool',
  },
  { kind: 'IPReservation', plural: 'ipreservations', shortNames: ['reservation', 'reservations'] },
  {
    kind: 'KubeControllersConfiguration',
    plural: 'kubecontrollersconfigurations',
    shortNames: ['kcconfig', 'kubecontrollersconfig', 'kubecontrollersconfigs'],
  },
  {
    kind: 'NetworkPolicy',
    plural: 'networkpolicies',
    scope: 'namespaced',
    shortNames: ['cnp', 'caliconetworkpolicy', 'caliconetworkpolicies', 'np', 'policy', 'policies', 'pol', 'pols'],
  },
  { kind: 'NetworkSet', plural: 'networksets', scope: 'namespaced', shortNames: ['netset', 'netsets'] },
  // Calico's API computes them from Namespaces and ServiceAccounts.
  { kind: 'Profile', plural: 'profiles', shortNames: ['pro', 'pros'], stored: null },
  { kind: 'StagedGlobalNetworkPolicy', plural: 'stagedglobalnetworkpolicies', shortNames: ['sgnp'] },
  {
    kind: 'StagedKubernetesNetworkPolicy',
    plural: 'stagedkubernetesnetworkpolicies',
    scope: 'namespaced',
    shortNames: ['sknp'],
  },
  {
    kind: 'StagedNetworkPolicy',
    plural: 'stagednetworkpolicies',
    scope: 'namespaced',
    shortNames: ['scnp', 'snp'],
  },
  // libcalico-go/lib/clientv3/tier.go, Delete.
  { kind: 'Tier', plural: 'tiers', beforeDeletion: 'sees that no policy is left in the tier' },
];

const shownAs = { group: resources.hostEndpointsV3.group, version: resources.hostEndpointsV3.version } as const;

export const calicoKinds: readonly CalicoKind[] = rows.map((row) => {
  const namespaced = row.scope === 'namespaced';
  const { group, version } = resources.hostEndpoints;
  const stored = row.stored === undefined ? { kind: row.kind, plural: row.plural } : row.stored;
  return {
    shown: { ...shownAs, kind: row.kind, plural: row.plural, namespaced },
    singular: row.kind.toLowerCase(),
    shortNames: row.shortNames ?? [],
    stored: stored && { group, version, namespaced, ...stored },
    readOnly: row.readOnly ?? null,
    beforeDeletion: row.beforeDeletion ?? null,
  };
});

/**
 * The kind for a word of the command line, ignoring case: `hep`, `HostEndpoint`, `hostendpoints.projectcalico.org`,
 * `hostendpoints.v3.projectcalico.org`. `served`: the cluster's resources, which may include kinds that the table lacks.
 */
export function kindNamed(word: string, served: readonly Resource[] = []): CalicoKind | null {
  const lower = word.toLowerCase();
  const name = lower.replace(/\.(?:v3\.)?projectcalico\.org$/, '');
  const known = calicoKinds.find(
    ({ shown, singular, shortNames }) =>
      name === shown.plural || name === singular || (name === lower && shortNames.includes(name)),
  );
  if (known) return known;
  const other = served.find(
    ({ group, version, plural, kind }) =>
      group === shownAs.group && version === shownAs.version && (plural === name || kind.toLowerCase() === name),
  );
  if (other === undefined) return null;
  const { group, version, kind, plural, namespaced } = other;
  return {
    shown: { group, version, kind, plural, namespaced },
    singular: kind.toLowerCase(),
    shortNames: [],
    stored: null,
    readOnly: null,
    beforeDeletion: null,
  };
}
