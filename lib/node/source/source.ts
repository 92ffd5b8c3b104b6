import type { KubeObject } from '#lib/kube/index.ts';
import { type Resource, resources } from '#lib/spec/index.ts';

/**
 * The kinds that a node follows: those of which services are made; `policies`, which are only counted; and `felix`, which may allow the deletion of
 * kube-proxy's rules.
 */
export type SourceKind = 'services' | 'slices' | 'nodes' | 'policies' | 'felix';

/** The resources of each kind. Policies are several resources, and a list of one says nothing about another. */
export const sourceResources: Readonly<Record<SourceKind, readonly Resource[]>> = {
  services: [resources.services],
  slices: [resources.endpointSlices],
  nodes: [resources.nodes],
  policies: [
    resources.networkPolicies,
    resources.calicoNetworkPolicies,
    resources.globalNetworkPolicies,
    resources.hostEndpoints,
    resources.calicoNetworkPoliciesV3,
    resources.globalNetworkPoliciesV3,
    resources.hostEndpointsV3,
    resources.adminNetworkPolicies,
    resources.baselineAdminNetworkPolicies,
  ],
  felix: [resources.felixConfigurations, resources.felixConfigurationsV3],
};

export const sourceKinds = Object.keys(sourceResources) as readonly SourceKind[];

/** The agent does not start before these kinds were listed. It does not wait for `felix`. */
export const neededKinds = sourceKinds.filter((kind) => kind !== 'felix');

/** Kinds that a cluster need not serve. If it does not, they count as empty. */
export const isOptional = (kind: SourceKind) => kind === 'policies' || kind === 'felix';

/** A resource as kubectl writes it: `networkpolicies.networking.k8s.io`. */
export const fullName = ({ plural, group }: Resource) => (group === '' ? plural : `${plural}.${group}`);

/** The key of an object for `changed`. `key` is its namespace/name. */
export const sourceKey = (kind: SourceKind, resource: Resource, key: string) =>
  sourceResources[kind].length > 1 ? `${fullName(resource)}/${key}` : key;

/** What a source reports to. */
export type SourceSink = {
  /** `object` null: it was deleted. `key`: namespace/name, preceded by the resource for kinds of several resources. */
  changed(kind: SourceKind, key: string, object: KubeObject | null): void;
  /** All objects of a resource were reported; a resource that is not served has none. Called again after each new list. */
  listed(kind: SourceKind, resource: Resource): void;
  /** The resource cannot be read for now, and the source tries again. Known objects stay. */
  interrupted(kind: SourceKind, resource: Resource, because: string): void;
  /** As `interrupted`, but trying again does not help until somebody acts: a right is missing. */
  refused(kind: SourceKind, resource: Resource, because: string): void;
};

/** Where a node gets its Services, Nodes and policies. `follow` ends when the signal aborts, and rejects on errors that do not go away by waiting. */
export type NodeSource = {
  readonly name: string;
  follow(sink: SourceSink, signal: AbortSignal): Promise<void>;
};
