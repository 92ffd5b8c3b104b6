import { type Clock, type FollowedKind, followKind, isKubeError, type Kube, keyOf } from '#lib/kube/index.ts';
import { names } from '#lib/spec/index.ts';
import {
  isOptional,
  type NodeSource,
  type SourceKind,
  type SourceSink,
  sourceKey,
  sourceKinds,
  sourceResources,
} from './source.ts';

/** Services of other proxies and headless ones are not sent to a node (kubernetes cmd/kube-proxy/app/server.go, the same two labels). */
const notOthers = { labelSelector: '!service.kubernetes.io/service-proxy-name,!service.kubernetes.io/headless' };

const selections: Partial<Readonly<Record<SourceKind, Pick<FollowedKind, 'labelSelector' | 'fieldSelector'>>>> = {
  services: notOthers,
  slices: notOthers,
  felix: { fieldSelector: `metadata.name=${names.felixConfiguration}` },
};

type Followed = FollowedKind & { readonly as: SourceKind };

const followed: readonly Followed[] = sourceKinds.flatMap((as) =>
  sourceResources[as].map((resource) => ({ as, resource, ...selections[as] })),
);

/**
 * Follows a cluster's API. An object that was reported stays until the API says that it is deleted: an API server that is down or refuses removes
 * nothing from a node. An optional kind that is not served counts as empty.
 */
export function liveSource(kube: Kube, clock: Clock): NodeSource {
  return {
    name: kube.name,
    follow: async (sink, signal) => {
      const end = new AbortController();
      const both = AbortSignal.any([signal, end.signal]);
      // If one of them fails, all of them end.
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
  { as, ...kind }: Followed,
  sink: SourceSink,
  signal: AbortSignal,
  clock: Clock,
): Promise<void> {
  const known = new Set<string>();
  const report = (key: string, object: Parameters<SourceSink['changed']>[2]) => {
    if (object === null) known.delete(key);
    else known.add(key);
    sink.changed(as, sourceKey(as, kind.resource, key), object);
  };
  return followKind(
    kube,
    kind,
    {
      synced: (objects) => {
        const there = new Set(objects.map(keyOf));
        for (const object of objects) report(keyOf(object), object);
        for (const key of known) if (!there.has(key)) report(key, null);
        sink.listed(as, kind.resource);
      },
      changed: (object) => report(keyOf(object), object),
      deleted: (object) => report(keyOf(object), null),
      absent: (because) => {
        if (!isOptional(as) || !isKubeError(because, 'not-served'))
          return sink.refused(as, kind.resource, because.message);
        for (const key of known) report(key, null);
        sink.listed(as, kind.resource);
      },
      interrupted: (because) => sink.interrupted(as, kind.resource, because.message),
    },
    signal,
    clock,
  );
}
