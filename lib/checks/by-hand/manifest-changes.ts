import type { Facts } from '#lib/facts/index.ts';
import type { Manifest, ManifestObject } from '#lib/spec/index.ts';
import { objectsCompared } from '../reading/objects-of-upgrade.ts';
import { type Answers, type ChangeByHand, changesByHand } from './three-way.ts';
import { usersOf } from './users-of.ts';

type Files = {
  /** The file of the release that runs; null if it could not be read: then only two versions are compared. */
  readonly old: Manifest | null;
  readonly next: Manifest;
  readonly answers: Answers;
};

/**
 * `dropped`: objects of the cluster, `kube-system/ConfigMap/old`, that the old file has and the new one lacks, each with the objects that use it, as far
 * as they were read.
 */
export type ManifestChanges = {
  readonly changes: readonly ChangeByHand[];
  readonly dropped: readonly { readonly id: string; readonly usedBy: readonly string[] }[];
  /** Kinds that may also use them and were not read. */
  readonly unread: readonly string[];
};

/** Changes by hand in all objects of a manifest, and the objects that the new file no longer has: the same for the finding and for the wizard. Pure. */
export function manifestChanges(
  { resources: { objects }, upgrade, coverage }: Facts,
  { old, next, answers }: Files,
): ManifestChanges {
  const released = new Map(old?.objects.map((one) => [idIn(one), one]));
  const changes = objectsCompared(next).flatMap((coming) => {
    const object = idIn(coming);
    const live = objects[object];
    const was = old === null ? null : (released.get(object) ?? coming);
    return live ? changesByHand({ object, live, old: was, next: coming, answers }) : [];
  });
  const coming = new Set(next.objects.map(idIn));
  const dropped = (old === null ? [] : objectsCompared(old)).map(idIn).filter((id) => !coming.has(id) && objects[id]);
  const unread = [...new Set(coverage.users.missing.map(({ kind }) => kind))];
  // Uses are looked up in the objects as the new file will leave them.
  const later = { ...objects, ...Object.fromEntries(next.objects.map((one) => [idIn(one), one])) };
  return { changes, dropped: dropped.map((id) => ({ id, usedBy: usersOf(id, later, upgrade.users) })), unread };
}

/** The id of an object of a manifest: `kube-system/DaemonSet/calico-node`. */
export function idIn({ kind, metadata: { name, namespace } }: ManifestObject): string {
  return `${namespace === undefined ? '' : `${namespace}/`}${kind}/${name}`;
}
