const published = { source: 'calico.md §1.2; projectcalico/calico manifests', read: '2026-11-23' };

/**
 * Objects in the manifests of Calico and Canal, with either datastore, besides definitions, by the kind's name in `resources`: all of v3.24.6, v3.27.5, v3.30.7
 * and v3.31.4. Without Secrets: the files' are empty, and the cluster's stay.
 */
export const manifestObjects = [
  {
    kind: 'clusterRoleBindings',
    named: [
      ...['calico-cni-plugin', 'calico-kube-controllers', 'calico-node', 'calico-tier-getter'],
      ...['canal', 'canal-calico', 'canal-flannel'],
    ],
    ...published,
  },
  {
    kind: 'clusterRoles',
    named: [
      ...['calico-cni-plugin', 'calico-kube-controllers', 'calico-node', 'calico-tier-getter'],
      ...['canal', 'flannel'],
    ],
    ...published,
  },
  { kind: 'configMaps', named: ['calico-config', 'canal-config'], ...published },
  { kind: 'daemonSets', named: ['calico-node', 'canal', 'canal-node'], ...published },
  { kind: 'deployments', named: ['calico-kube-controllers', 'calico-typha'], ...published },
  { kind: 'podDisruptionBudgets', named: ['calico-kube-controllers', 'calico-typha'], ...published },
  {
    kind: 'serviceAccounts',
    named: ['calico-cni-plugin', 'calico-kube-controllers', 'calico-node', 'canal', 'canal-node'],
    ...published,
  },
  { kind: 'services', named: ['calico-typha'], ...published },
] as const;
