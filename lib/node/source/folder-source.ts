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

/** Files are often written one after the other: changes within this time are read together. */
const quietMs = 20;

/**
 * A folder of Kubernetes objects as YAML or JSON, read again whenever a file in it changes. Folders below it are read too but not watched, because
 * Node's recursive watch misses a file that replaces another. If a file cannot be read, everything known stays: the file is being written or is
 * wrong, and neither is a reason to remove services from a node. Unchanged objects are not reported again.
 */
export function folderSource(folder: string, clock: Clock): NodeSource {
  return {
    name: folder,
    follow: async (sink, signal) => {
      const reported = new Map<SourceKind, Map<string, string>>(sourceKinds.map((kind) => [kind, new Map()]));
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
          await readOnce(folder, sink, reported);
          await Promise.race([wake.promise, aborted, failed.promise]);
          await clock.sleep(quietMs, signal).catch(() => undefined);
        }
      } finally {
        watcher.close();
      }
    },
  };
}

async function readOnce(folder: string, sink: SourceSink, reported: ReadonlyMap<SourceKind, Map<string, string>>) {
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
    const known = reported.get(kind) ?? new Map<string, string>();
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

/** All objects of a resource; none if no file contains that kind. */
async function listAll(kube: Kube, resource: Resource): Promise<KubeObject[]> {
  const objects: KubeObject[] = [];
  try {
    for await (const { items } of kube.list(resource)) objects.push(...items);
  } catch (error) {
    // A folder may hold only a part of a cluster; what it lacks is treated as absent.
    const isPart = isKubeError(error, 'protocol') && error.detail.lacks !== undefined;
    if (!isPart && !isKubeError(error, 'not-served')) throw error;
  }
  return objects;
}
