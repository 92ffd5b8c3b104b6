/** Releases whose files must have a definition; a file without it is truncated or of another release. `some`: it may be missing. */
export type HeldBy = 'every release' | 'v3.30 and later' | 'some';

export type OperatorDefinitionsRow = {
  readonly group: string;
  readonly plurals: readonly string[];
  readonly heldBy: HeldBy;
  readonly source: string;
  /** When the source was read. */
  readonly read: string;
};

const everywhere = {
  heldBy: 'every release',
  source: 'calico.md §1.2; tigera-operator.yaml of v3.24.6; tigera-operator.yaml of v3.27.5',
  read: '2026-11-21',
} as const;
const later = {
  heldBy: 'v3.30 and later',
  source: 'calico.md §1.2; operator-crds.yaml of v3.30.7; operator-crds.yaml of v3.31.4',
  read: '2026-11-21',
} as const;
const some = { ...later, heldBy: 'some' } as const;

/**
 * CustomResourceDefinitions of Calico. If no release file has them, the operator creates them, on OpenShift by its first init container (calico.md §1.2). Undoing
 * such an installation needs their names.
 */
export const operatorDefinitions: readonly OperatorDefinitionsRow[] = [
  {
    group: 'operator.tigera.io',
    plurals: ['apiservers', 'imagesets', 'installations', 'tigerastatuses'],
    ...everywhere,
  },
  {
    group: 'crd.projectcalico.org',
    plurals: [
      'bgpconfigurations',
      'bgppeers',
      'blockaffinities',
      'caliconodestatuses',
      'clusterinformations',
      'felixconfigurations',
      'globalnetworkpolicies',
      'globalnetworksets',
      'hostendpoints',
      'ipamblocks',
      'ipamconfigs',
      'ipamhandles',
      'ippools',
      'ipreservations',
      'kubecontrollersconfigurations',
      'networkpolicies',
      'networksets',
    ],
    ...everywhere,
  },
  { group: 'operator.tigera.io', plurals: ['goldmanes', 'whiskers'], ...later },
  { group: 'crd.projectcalico.org', plurals: ['bgpfilters', 'tiers'], ...later },
  { group: 'operator.tigera.io', plurals: ['gatewayapis', 'managementclusterconnections'], ...some },
  {
    group: 'crd.projectcalico.org',
    plurals: ['stagedglobalnetworkpolicies', 'stagedkubernetesnetworkpolicies', 'stagednetworkpolicies'],
    ...some,
  },
  { group: 'policy.networking.k8s.io', plurals: ['adminnetworkpolicies', 'baselineadminnetworkpolicies'], ...some },
];

/** Names of these definitions in the API: `ippools.crd.projectcalico.org`. */
export function definitionNames(heldBy: HeldBy): readonly string[] {
  return operatorDefinitions
    .filter((row) => row.heldBy === heldBy)
    .flatMap(({ group, plurals }) => plurals.map((plural) => `${plural}.${group}`));
}
