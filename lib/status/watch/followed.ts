import type { FollowedKind, KindSink, KubeObject } from '#lib/kube/index.ts';

/** Receives the objects of a kind. The caller handles the rest: a kind that is not served, and a watch that is interrupted. */
export type ObjectSink = Omit<KindSink, 'absent' | 'interrupted' | 'heard'>;

/** A kind to follow, with the sink for its objects. `id` is unique among all followed kinds. */
export type Followed = { id: string; kind: FollowedKind; sink: ObjectSink };

/** Follows the object of this name. `keep` gets it after each change; null while it does not exist. */
export function followNamed(
  id: string,
  scope: FollowedKind,
  name: string,
  keep: (object: KubeObject | null) => void,
): Followed {
  return {
    id,
    kind: { ...scope, fieldSelector: `metadata.name=${name}` },
    sink: {
      synced: (objects) => keep(objects.find(({ metadata }) => metadata.name === name) ?? null),
      changed: (object) => keep(object),
      deleted: () => keep(null),
    },
  };
}

/** Stores the result of `read` for each object in `into`, by name. Calls `moved` after each change. */
export function keptByName<T>(into: Map<string, T>, read: (object: KubeObject) => T, moved: () => void): ObjectSink {
  const keep = (object: KubeObject) => into.set(object.metadata.name ?? '', read(object));
  return {
    synced: (objects) => {
      into.clear();
      for (const object of objects) keep(object);
      moved();
    },
    changed: (object) => {
      keep(object);
      moved();
    },
    deleted: (object) => {
      into.delete(object.metadata.name ?? '');
      moved();
    },
  };
}
