import { watch } from 'node:fs';
import { canonicalJson } from '#lib/base/records.ts';
import { type Clock, InputError, isKubeError, type Kube, type KubeObject, keyOf, openDump } from '#lib/kube/index.ts';
import type { Resource } from '#lib/spec/index.ts';
import {
  type NodeSource,
  type SourceKind,
  type SourceSink,
  sourceKey,
  sourceKinds,
  sourceResources,
} from './source.ts';

/** Files are written one after the other: what follows within this time is read together. */
const quietMs = 20;

/**
 * A folder of Kubernetes objects as YAML or JSON, read anew whenever a file in it changes (folders below it are read with it, and not watched: Node's own watch of
 * them misses a file that is put in the place of another). A file that cannot be read keeps all that was known: somebody is
 * writing it, or it is wrong, and neither is a reason to take services from a node. What goes unchanged is not told again.
 */
export function folderSource(folder: string, clock: Clock): NodeSource {
  return {
    name: folder,
    follow: async (sink, signal) => {
      const told = new Map<SourceKind, Map<string, string>>(sourceKinds.map((kind) => [kind, new Map()]));
      let wake = Promise.withResolvers<void>();
      const watcher = watch(folder, { signal });
      const failed = Promise.withResolvers<never>();
      watcher.on('change', () => wake.resolve());
      watcher.on('error', (error) => failed.reject(error));
      const aborted = new Promise<void>((resolve) => {
        if (signal.aborted) resolve();
        signal.addEventListener('abort', () => resolve(), { once: true });
      });
      failed.promise.catch(() => undefined);
      try {
        while (!signal.aborted) {
          wake = Promise.withResolvers<void>();
          await readOnce(folder, sink, told);
          await Promise.race([wake.promise, aborted, failed.promise]);
          await clock.sleep(quietMs, signal).catch(() => undefined);
        }
      } finally {
        watcher.close();
      }
    },
  };
}

async function readOnce(folder: string, sink: SourceSink, told: ReadonlyMap<SourceKind, Map<string, string>>) {
  let read: { kind: SourceKind; objects: Map<string, KubeObject> }[];
  try {
    const dump = await openDump([folder]);
    read = await Promise.all(
      sourceKinds.map(async (kind) => {
        const objects = new Map<string, KubeObject>();
        for (const resource of sourceResources[kind])
          for (const object of await listAll(dump, resource))
            objects.set(sourceKey(kind, resource, keyOf(object)), object);
        return { kind, objects };
      }),
    );
  } catch (error) {
    if (!(error instanceof InputError) && !isKubeError(error)) throw error;
    for (const kind of sourceKinds)
      for (const resource of sourceResources[kind]) sink.interrupted(kind, resource, error.message);
    return;
  }
  for (const { kind, objects } of read) {
    const known = told.get(kind) ?? new Map<string, string>();
    for (const [key, object] of objects) {
      const text = canonicalJson(object);
      if (known.get(key) === text) continue;
      known.set(key, text);
      sink.changed(kind, key, object);
    }
    for (const key of [...known.keys()])
      if (!objects.has(key)) {
        known.delete(key);
        sink.changed(kind, key, null);
      }
    for (const resource of sourceResources[kind]) sink.listed(kind, resource);
  }
}

/** A kind that no file holds has no objects. */
async function listAll(kube: Kube, resource: Resource): Promise<KubeObject[]> {
  const objects: KubeObject[] = [];
  try {
    for await (const { items } of kube.list(resource)) objects.push(...items);
  } catch (error) {
    // That a folder is a part of a cluster is no fault here: it is all that this node is told.
    const isPart = isKubeError(error, 'protocol') && error.detail.lacks !== undefined;
    if (!isPart && !isKubeError(error, 'not-served')) throw error;
  }
  return objects;
}
