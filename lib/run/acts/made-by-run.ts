import type { KubeObject } from '#lib/kube/index.ts';
import { hasSameSpec } from '#lib/plan/index.ts';
import { names, type ObjectRef, objectId } from '#lib/spec/index.ts';
import { type Journal, madeUid } from '../model/journal.ts';

/** What exists under the name of an object that a run creates. `changed`: the run created it, and its spec has changed since. */
export type ObjectState = 'nothing' | 'of-others' | 'changed' | 'as-made';

/**
 * Recognises the object by the UID in the journal; if the process ended before it wrote that, by the mark in the object. A copy that somebody applied
 * after deleting the object has the mark too, but another UID.
 */
export function madeByRun(
  found: KubeObject | null,
  { target, body }: { target: ObjectRef; body: Record<string, unknown> },
  journal: Pick<Journal, 'run' | 'entries'>,
): ObjectState {
  if (found === null) return 'nothing';
  const uid = madeUid(journal, objectId(target));
  const isOurs =
    uid === undefined
      ? found.metadata.annotations?.[names.madeByAnnotation] === journal.run
      : found.metadata.uid === uid;
  if (!isOurs) return 'of-others';
  return hasSameSpec(target, found, body) ? 'as-made' : 'changed';
}
