import { inParallel } from '#lib/base/async/in-parallel.ts';
import type { DryRunResult } from '#lib/checks/index.ts';
import { isKubeError, type Kube } from '#lib/kube/index.ts';
import { type ManifestObject, objectId, resourceOf } from '#lib/spec/index.ts';

/** Number of requests at the same time. */
const atOnce = 4;

/** Applies these objects in a dry run without force, to learn who owns the fields that would change. Changes nothing. Rejects only if `signal` aborts. */
export function triedWithoutForce(
  kube: Kube,
  objects: readonly ManifestObject[],
  signal: AbortSignal,
): Promise<DryRunResult[]> {
  return inParallel(objects, atOnce, (object) => tryOne(kube, object, signal));
}

async function tryOne(kube: Kube, object: ManifestObject, signal: AbortSignal): Promise<DryRunResult> {
  const { apiVersion, kind, metadata } = object;
  const { name, namespace } = metadata;
  const resource = resourceOf(apiVersion, kind);
  if (resource === null) return { object: `${kind}/${name}`, unknown: `${kind} (${apiVersion}) is not known here` };
  const id = objectId({ resource, name, ...(namespace === undefined ? {} : { namespace }) });
  try {
    await kube.apply(resource, { ...object, metadata: { ...metadata } }, { dryRun: 'all', force: false, signal });
  } catch (error) {
    if (!isKubeError(error) || error.code === 'aborted') throw error;
    // Its namespace or kind does not exist, so no field has an owner.
    if (isKubeError(error, 'not-found', 'not-served')) return { object: id, conflicts: [] };
    const conflicts = isKubeError(error, 'conflict') ? (error.detail.conflicts ?? []) : [];
    return conflicts.length > 0 ? { object: id, conflicts } : { object: id, unknown: error.message };
  }
  return { object: id, conflicts: [] };
}
