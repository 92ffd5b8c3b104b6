import type { KubeObject } from '#lib/kube/index.ts';
import { hasSameSpec } from '#lib/plan/index.ts';
import { names, type ObjectRef, objectId } from '#lib/spec/index.ts';
import { type Journal, madeUid } from '../model/journal.ts';

/** What is there under the name of an object that a run makes. `changed`: the run made it, and it has another spec by now. */
export type Made = 'nothing' | 'of-others' | 'changed' | 'as-made';

/**
 * By the UID that the journal has; where the process ended before it was journalled, by the mark that the object was created with. A copy of it that
 * somebody applied after deleting it has the mark too, and another UID.
 */
export function madeByRun(
  found: KubeObject | null,
  { target, body }: { target: ObjectRef; body: Record<string, unknown> },
  journal: Pick<Journal, 'run' | 'entries'>,
): Made {
  if (found === null) return 'nothing';
  const uid = madeUid(journal, objectId(target));
  const isOurs =
    uid === undefined
      ? found.metadata.annotations?.[names.madeByAnnotation] === journal.run
      : found.metadata.uid === uid;
  if (!isOurs) return 'of-others';
  return hasSameSpec(target, found, body) ? 'as-made' : 'changed';
}
