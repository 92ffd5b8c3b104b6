import { isRecord, same } from '#lib/base/records.ts';
import { objectTime } from '../../object-time.ts';
import type { DeleteOptions } from '../../port.ts';
import { copy } from '../json.ts';
import type { Kind } from '../kinds.ts';
import { notFound, preconditionFailed } from './refusal.ts';
import type { StoreState } from './store-state.ts';

/** Deletes an object at once, or marks it where a finalizer or a namespace's content has to go first. */
export function deleteObject(
  state: StoreState,
  kind: Kind,
  { key, name }: { key: string; name: string },
  options: DeleteOptions,
): void {
  const live = state.read(kind, key);
  if (!live) throw notFound(kind, name);
  const { uid, resourceVersion } = live.metadata;
  if (options.uid !== undefined && options.uid !== uid) throw preconditionFailed(kind, name, 'UID', options.uid, uid);
  if (options.resourceVersion !== undefined && options.resourceVersion !== resourceVersion) {
    throw preconditionFailed(kind, name, 'ResourceVersion', options.resourceVersion, resourceVersion);
  }
  if (options.dryRun) return;
  const object = copy(live);
  const finalizers = withPropagation(object.metadata.finalizers ?? [], options.propagation);
  const waits = finalizers.length > 0 || kind.resource.kind === 'Namespace';
  if (waits && live.metadata.deletionTimestamp && same(finalizers, live.metadata.finalizers ?? [])) return;
  if (finalizers.length > 0) object.metadata.finalizers = finalizers;
  else delete object.metadata.finalizers;
  if (waits) {
    object.metadata.deletionTimestamp ??= objectTime(state.clock.now());
    object.metadata.deletionGracePeriodSeconds ??= 0;
    if (object.metadata.generation && !live.metadata.deletionTimestamp) object.metadata.generation += 1;
    if (kind.resource.kind === 'Namespace')
      object.status = { ...(isRecord(object.status) ? object.status : {}), phase: 'Terminating' };
  }
  object.metadata.resourceVersion = state.nextRevision();
  state.commit(kind, key, waits ? 'modified' : 'deleted', object);
}

/** Foreground and Orphan are finalizers, which the garbage collector takes off; Background takes them off at once. */
function withPropagation(finalizers: readonly string[], propagation: DeleteOptions['propagation']): string[] {
  if (propagation === undefined) return [...finalizers];
  const others = finalizers.filter((finalizer) => finalizer !== 'orphan' && finalizer !== 'foregroundDeletion');
  if (propagation === 'Foreground') return [...others, 'foregroundDeletion'];
  return propagation === 'Orphan' ? [...others, 'orphan'] : others;
}
