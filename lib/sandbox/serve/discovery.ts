import type { Discovery, KubeObject } from '#lib/kube/index.ts';

type Served = Discovery['resources'];

/** kubectl's short names of the built-in kinds in sandboxes (`kubectl api-resources`, read 2026-11-22). */
const builtinShortNames: Readonly<Record<string, readonly string[]>> = {
  '/configmaps': ['cm'],
  '/endpoints': ['ep'],
  '/events': ['ev'],
  '/namespaces': ['ns'],
  '/nodes': ['no'],
  '/persistentvolumeclaims': ['pvc'],
  '/persistentvolumes': ['pv'],
  '/pods': ['po'],
  '/serviceaccounts': ['sa'],
  '/services': ['svc'],
  'apiextensions.k8s.io/customresourcedefinitions': ['crd', 'crds'],
  'apps/daemonsets': ['ds'],
  'apps/deployments': ['deploy'],
  'apps/replicasets': ['rs'],
  'apps/statefulsets': ['sts'],
  'networking.k8s.io/ingresses': ['ing'],
  'networking.k8s.io/networkpolicies': ['netpol'],
  'policy/poddisruptionbudgets': ['pdb'],
};
/** The kinds of `kubectl get all`. */
const inAll = new Set(['/pods', '/services', 'apps/daemonsets', 'apps/deployments', 'apps/replicasets']);

/** `definitions`: CustomResourceDefinitions, for the short names of their kinds. */
export function discoveryOf(served: Served, definitions: readonly KubeObject[]) {
  const named = new Map(definitions.map(({ metadata, spec }) => [metadata.name ?? '', spec]));
  const shortNames = ({ group, plural }: Served[number]): readonly string[] => {
    const spec = named.get(`${plural}.${group}`) as { names?: { shortNames?: string[] } } | undefined;
    return builtinShortNames[`${group}/${plural}`] ?? spec?.names?.shortNames ?? [];
  };
  const categories = ({ group, plural }: Served[number]) => (inAll.has(`${group}/${plural}`) ? ['all'] : []);
  const byGroup = Map.groupBy(served, ({ group }) => group);
  const groups = [...byGroup].filter(([group]) => group !== '');

  return {
    /** Everything below `/api` or `/apis` in one answer (Kubernetes 1.27 and later). */
    aggregated: (root: 'api' | 'apis') => ({
      kind: 'APIGroupDiscoveryList',
      apiVersion: 'apidiscovery.k8s.io/v2',
      metadata: {},
      items: (root === 'apis' ? groups : [...byGroup].filter(([group]) => group === '')).map(([name, found]) => ({
        metadata: name === '' ? {} : { name },
        versions: [...Map.groupBy(found, ({ version }) => version)].map(([version, of]) => ({
          version,
          freshness: 'Current',
          resources: of.map((one) => ({
            resource: one.plural,
            responseKind: { group: one.group, version: one.version, kind: one.kind },
            scope: one.namespaced ? 'Namespaced' : 'Cluster',
            singularResource: one.kind.toLowerCase(),
            verbs: one.verbs,
            shortNames: shortNames(one),
            categories: categories(one),
          })),
        })),
      })),
    }),
    versions: () => ({ kind: 'APIVersions', versions: ['v1'], serverAddressByClientCIDRs: [] }),
    groups: () => ({
      kind: 'APIGroupList',
      apiVersion: 'v1',
      groups: groups.map(([name, found]) => groupOf(name, found)),
    }),
    /** The kinds of one group and version; null if none is served. */
    resources: (group: string, version: string) => {
      const found = served.filter((one) => one.group === group && one.version === version);
      if (found.length === 0) return null;
      return {
        kind: 'APIResourceList',
        apiVersion: 'v1',
        groupVersion: group === '' ? version : `${group}/${version}`,
        resources: found.map((one) => ({
          name: one.plural,
          singularName: one.kind.toLowerCase(),
          namespaced: one.namespaced,
          kind: one.kind,
          verbs: one.verbs,
          shortNames: shortNames(one),
          categories: categories(one),
        })),
      };
    },
  };
}

function groupOf(name: string, found: Served) {
  const versions = [...new Set(found.map(({ version }) => version))].map((version) => ({
    groupVersion: `${name}/${version}`,
    version,
  }));
  return { name, versions, preferredVersion: versions[0] };
}
