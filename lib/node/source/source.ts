import type { KubeObject } from '#lib/kube/index.ts';
import { type Resource, resources } from '#lib/spec/index.ts';

/** The kinds that a node's services are made of; those of policies, which are only counted; and `felix`, which may allow what nobody waits for. */
export type SourceKind = 'services' | 'slices' | 'nodes' | 'policies' | 'felix';

/** What each kind is made of. Policies are several resources, and one that answers tells nothing of another. */
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

/** What an agent does not go to work without: nothing hangs on `felix`. */
export const neededKinds = sourceKinds.filter((kind) => kind !== 'felix');

/** Kinds that a cluster need not serve: it has none of them then. */
export const isOptional = (kind: SourceKind) => kind === 'policies' || kind === 'felix';

/** `networkpolicies.networking.k8s.io`, as kubectl writes it. */
export const fullName = ({ plural, group }: Resource) => (group === '' ? plural : `${plural}.${group}`);

/** The key of an object of a resource, as `changed` has it. */
export const sourceKey = (kind: SourceKind, resource: Resource, key: string) =>
  sourceResources[kind].length > 1 ? `${fullName(resource)}/${key}` : key;

/** What a source tells. `object` null: it is gone. */
export type SourceSink = {
  /** `key`: namespace/name, with its kind in front where several are followed as one. */
  changed(kind: SourceKind, key: string, object: KubeObject | null): void;
  /** All of a resource was told once; one that is not served has nothing. Told again after each new list. */
  listed(kind: SourceKind, resource: Resource): void;
  /** It cannot be read for now, and is tried again; what was known stays. */
  interrupted(kind: SourceKind, resource: Resource, because: string): void;
  /** As `interrupted`, where somebody has to do something first: a right is missing. */
  refused(kind: SourceKind, resource: Resource, because: string): void;
};

/** Where a node learns what is wanted. Ends when the signal aborts; rejects where waiting cannot help. */
export type NodeSource = {
  readonly name: string;
  follow(sink: SourceSink, signal: AbortSignal): Promise<void>;
};
