import { isRecord, same } from '#lib/base/records.ts';
import { type Clock, isKubeError, type Kube, KubeError, type KubeObject } from '#lib/kube/index.ts';
import { names, type ObjectRef, objectId, type Resource } from '#lib/spec/index.ts';
import { changes, compareWanted, memberAt } from '../difference.ts';

/**
 * How far an object is ours.
 * `whole`: its spec is exactly ours, except for members that the server fills in.
 * `members`: the members that we name are ours, and others may write the rest.
 * `present`: only its existence is ours.
 */
export type Keep = 'whole' | 'members' | 'present';

export type Writer = {
  /**
   * Creates the object, or updates it where it differs. Resolves to the object as it is then. Throws `conflict` while the object is being deleted.
   */
  ensure(resource: Resource, wanted: KubeObject, keep: Keep): Promise<KubeObject>;
  /** Sends a merge patch where it changes something. `guarded`: only for the resourceVersion that was read. */
  merge(
    ref: ObjectRef,
    live: KubeObject,
    body: Record<string, unknown>,
    options?: { subresource?: 'status'; guarded?: boolean },
  ): Promise<KubeObject>;
  create(resource: Resource, object: KubeObject): Promise<KubeObject>;
  /** Deletes the object, in the foreground unless another propagation is given. True: the object is gone. */
  remove(ref: ObjectRef, propagation?: 'Foreground' | 'Background'): Promise<boolean>;
};

const merging = ['labels', 'annotations'] as const;

export function createWriter({
  kube,
  clock,
  signal,
  stepMs,
}: {
  kube: Kube;
  clock: Clock;
  signal: AbortSignal;
  stepMs: number;
}): Writer {
  const by = { fieldManager: names.operatorFieldManager, signal, fieldValidation: 'Ignore' as const };
  // Members that only the live object has and that a write of ours did not remove, by object. The server fills them in.
  const servers = new Map<string, { wanted: unknown; extra: Set<string> }>();

  const pause = async () => {
    if (stepMs > 0) await clock.sleep(stepMs, signal);
  };

  const create = async (resource: Resource, object: KubeObject) => {
    await pause();
    return kube.create(resource, object, by);
  };

  return {
    create,

    async ensure(resource, wanted, keep) {
      const ref = refOf(resource, wanted);
      const live = await kube.get(ref, { signal });
      if (!live) return create(resource, wanted);
      if (live.metadata.deletionTimestamp)
        throw new KubeError('conflict', `${objectId(ref)} is being deleted; it is created again once it is gone`);
      if (keep === 'present') return live;

      const target = keep === 'whole' ? keepRestarts(live, wanted) : wanted;
      const metadata = metadataOf(live, target);
      const bodies = Object.keys(target).filter((key) => !['apiVersion', 'kind', 'metadata', 'status'].includes(key));
      const found = compareWanted(pick(live, bodies), pick(target, bodies));
      const key = objectId(ref);
      const memory = servers.get(key);
      const known = memory && same(memory.wanted, target) ? memory.extra : new Set<string>();
      const foreign = keep === 'whole' ? found.extra.filter((path) => !known.has(path)) : [];
      if (!found.differs && foreign.length === 0 && same(metadata, live.metadata)) return live;

      await pause();
      const body =
        keep === 'whole'
          ? pick(target, bodies)
          : Object.fromEntries(bodies.map((name) => [name, overlay(live[name], target[name])]));
      const written = await kube.replace(resource, { ...live, ...body, metadata }, by);
      const left = compareWanted(pick(written, bodies), pick(target, bodies)).extra;
      servers.set(key, { wanted: target, extra: new Set(left) });
      return written;
    },

    async merge(ref, live, body, options = {}) {
      if (!changes(live, body)) return live;
      await pause();
      const patch = {
        type: 'merge' as const,
        body,
        ...(options.guarded ? { resourceVersion: live.metadata.resourceVersion ?? '' } : {}),
      };
      return kube.patch(ref, patch, { ...by, ...(options.subresource ? { subresource: options.subresource } : {}) });
    },

    async remove(ref, propagation = 'Foreground') {
      const live = await kube.get(ref, { signal });
      if (!live) return true;
      if (live.metadata.deletionTimestamp) return false;
      await pause();
      try {
        await kube.delete(ref, { propagation, signal });
      } catch (error) {
        if (!isKubeError(error, 'not-found')) throw error;
      }
      return (await kube.get(ref, { signal })) === null;
    },
  };
}

function refOf(resource: Resource, object: KubeObject): ObjectRef {
  const name = object.metadata.name ?? '';
  return resource.namespaced ? { resource, namespace: object.metadata.namespace ?? '', name } : { resource, name };
}

/** Keeps the mark that `kubectl rollout restart` leaves on the pod template. Removing it would roll out everything again. */
function keepRestarts(live: KubeObject, wanted: KubeObject): KubeObject {
  const mark = 'kubectl.kubernetes.io/restartedAt';
  const restartedAt = memberAt(live, 'spec', 'template', 'metadata', 'annotations', mark);
  if (typeof restartedAt !== 'string') return wanted;
  return overlay(wanted, { spec: { template: { metadata: { annotations: { [mark]: restartedAt } } } } }) as KubeObject;
}

function metadataOf(live: KubeObject, wanted: KubeObject): KubeObject['metadata'] {
  const metadata = { ...live.metadata };
  for (const key of merging) {
    const ours = wanted.metadata[key];
    if (ours && Object.entries(ours).some(([name, value]) => live.metadata[key]?.[name] !== value))
      metadata[key] = { ...live.metadata[key], ...ours };
  }
  const owners = wanted.metadata.ownerReferences ?? [];
  const there = live.metadata.ownerReferences ?? [];
  const missing = owners.filter((owner) => !there.some((other) => other.uid === owner.uid));
  // An Installation of the same name that was deleted since. With its reference left, the garbage collector would delete this object.
  const stale = (other: (typeof there)[number]) =>
    owners.some((owner) => owner.kind === other.kind && owner.name === other.name && owner.uid !== other.uid);
  if (missing.length > 0) metadata.ownerReferences = [...there.filter((other) => !stale(other)), ...missing];
  return metadata;
}

function pick(object: KubeObject, members: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(members.map((name) => [name, object[name]]));
}

function overlay(under: unknown, over: unknown): unknown {
  if (!isRecord(under) || !isRecord(over)) return over;
  const out: Record<string, unknown> = { ...under };
  for (const [key, value] of Object.entries(over)) out[key] = overlay(under[key], value);
  return out;
}
