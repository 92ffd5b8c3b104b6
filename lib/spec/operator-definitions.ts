const found = {
  source: 'calico.md §1.2; operator-crds.yaml of v3.30.7; operator-crds.yaml of v3.31.4',
  read: '2026-11-21',
};

/**
 * CustomResourceDefinitions that the operator brings by itself where no file of the release holds them: on OpenShift its first init container
 * does (calico.md §1.2). Whoever takes such an installation back must know their names.
 */
export const operatorDefinitions: readonly {
  readonly group: string;
  readonly plurals: readonly string[];
  readonly source: string;
  /** When the source was read. */
  readonly read: string;
}[] = [
  {
    group: 'operator.tigera.io',
    plurals: [
      'apiservers',
      'gatewayapis',
      'goldmanes',
      'imagesets',
      'installations',
      'managementclusterconnections',
      'tigerastatuses',
      'whiskers',
    ],
    ...found,
  },
  {
    group: 'crd.projectcalico.org',
    plurals: [
      'bgpconfigurations',
      'bgpfilters',
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
      'stagedglobalnetworkpolicies',
      'stagedkubernetesnetworkpolicies',
      'stagednetworkpolicies',
      'tiers',
    ],
    ...found,
  },
  { group: 'policy.networking.k8s.io', plurals: ['adminnetworkpolicies', 'baselineadminnetworkpolicies'], ...found },
];
