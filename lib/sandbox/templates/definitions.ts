import type { KubeObject } from '#lib/kube/index.ts';
import { type Resource, resources } from '#lib/spec/index.ts';

const kubeControllersConfigurations: Resource = {
  group: 'crd.projectcalico.org',
  version: 'v1',
  kind: 'KubeControllersConfiguration',
  plural: 'kubecontrollersconfigurations',
  namespaced: false,
};

/** Kinds of the operator and of Calico that a sandbox serves. Without schemas: what may be in them is for the operator to say. */
const defined: readonly Resource[] = [
  resources.installations,
  resources.tigeraStatuses,
  resources.apiServers,
  resources.goldmanes,
  resources.whiskers,
  resources.imageSets,
  resources.felixConfigurations,
  resources.ipPools,
  resources.globalNetworkPolicies,
  resources.calicoNetworkPolicies,
  resources.clusterInformations,
  kubeControllersConfigurations,
];

export function calicoDefinitions(): KubeObject[] {
  return defined.map(({ group, version, kind, plural, namespaced }) => ({
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}`, generation: 1 },
    spec: {
      conversion: { strategy: 'None' },
      group,
      names: { kind, listKind: `${kind}List`, plural, singular: kind.toLowerCase() },
      scope: namespaced ? 'Namespaced' : 'Cluster',
      versions: [
        {
          name: version,
          schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
          served: true,
          storage: true,
          // Calico's own kinds have no status of their own; the operator's have.
          ...(group === 'operator.tigera.io' ? { subresources: { status: {} } } : {}),
        },
      ],
    },
    status: {
      acceptedNames: { kind, listKind: `${kind}List`, plural, singular: kind.toLowerCase() },
      conditions: ['NamesAccepted', 'Established'].map((type) => ({
        lastTransitionTime: '2025-01-01T00:00:00Z',
        message: type === 'Established' ? 'the initial names have been accepted' : 'no conflicts found',
        reason: type === 'Established' ? 'InitialNamesAccepted' : 'NoConflicts',
        status: 'True',
        type,
      })),
      storedVersions: [version],
    },
  }));
}
