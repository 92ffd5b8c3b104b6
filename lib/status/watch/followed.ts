import type { FollowedKind, KindSink, KubeObject } from '#lib/kube/index.ts';

/** What is done with the objects of a kind. Whether the kind is there and its watch is open is no matter of the sink. */
export type ObjectSink = Omit<KindSink, 'absent' | 'interrupted' | 'heard'>;

/** One kind that is followed, and who is told of it. `id`: unique among all that are followed. */
export type Followed = { id: string; kind: FollowedKind; sink: ObjectSink };

/** Follows the one object of this name. `keep`: told of each change, null when there is none. */
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

/** Keeps in `into`, by name, what `read` makes of each object. `moved`: called after each change. */
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
