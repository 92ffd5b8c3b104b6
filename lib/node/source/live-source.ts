import { type Clock, type FollowedKind, followKind, isKubeError, type Kube, keyOf } from '#lib/kube/index.ts';
import { resources } from '#lib/spec/index.ts';
import type { NodeSource, SourceKind, SourceSink } from './source.ts';

/** Services of other proxies and headless ones are never sent to a node (kubernetes cmd/kube-proxy/app/server.go, the same two labels). */
const notOthers = { labelSelector: '!service.kubernetes.io/service-proxy-name,!service.kubernetes.io/headless' };

export const policyKinds = [
  resources.networkPolicies,
  resources.calicoNetworkPolicies,
  resources.globalNetworkPolicies,
  resources.hostEndpoints,
  resources.calicoNetworkPoliciesV3,
  resources.globalNetworkPoliciesV3,
  resources.hostEndpointsV3,
  resources.adminNetworkPolicies,
  resources.baselineAdminNetworkPolicies,
] as const;

const followed: readonly (FollowedKind & { readonly as: SourceKind })[] = [
  { as: 'services', resource: resources.services, ...notOthers },
  { as: 'slices', resource: resources.endpointSlices, ...notOthers },
  { as: 'nodes', resource: resources.nodes },
  ...policyKinds.map((resource) => ({ as: 'policies' as const, resource })),
];

/**
 * A cluster's API. What was told of an object stays until the API says that it is gone: an API server that is away, or refuses, takes nothing from a node.
 * A kind of policies that is not served has none.
 */
export function liveSource(kube: Kube, clock: Clock): NodeSource {
  return {
    name: kube.name,
    follow: async (sink, signal) => {
      const end = new AbortController();
      const both = AbortSignal.any([signal, end.signal]);
      // One that cannot go on ends all of them.
      await Promise.all(
        followed.map((kind) =>
          followOne(kube, kind, sink, both, clock).catch((error: unknown) => {
            end.abort();
            throw error;
          }),
        ),
      );
    },
  };
}

function followOne(
  kube: Kube,
  { as, ...kind }: (typeof followed)[number],
  sink: SourceSink,
  signal: AbortSignal,
  clock: Clock,
): Promise<void> {
  const known = new Set<string>();
  const prefix = as === 'policies' ? `${kind.resource.plural}.${kind.resource.group}/` : '';
  const tell = (key: string, object: Parameters<SourceSink['changed']>[2]) => {
    if (object === null) known.delete(key);
    else known.add(key);
    sink.changed(as, prefix + key, object);
  };
  return followKind(
    kube,
    kind,
    {
      synced: (objects) => {
        const there = new Set(objects.map(keyOf));
        for (const object of objects) tell(keyOf(object), object);
        for (const key of known) if (!there.has(key)) tell(key, null);
        sink.listed(as);
      },
      changed: (object) => tell(keyOf(object), object),
      deleted: (object) => tell(keyOf(object), null),
      absent: (because) => {
        if (as !== 'policies' || !isKubeError(because, 'not-served')) return sink.interrupted(as, because.message);
        for (const key of known) tell(key, null);
        sink.listed(as);
      },
      interrupted: (because) => sink.interrupted(as, because.message),
    },
    signal,
    clock,
  );
}
