import type { ReadObject } from '#lib/facts/index.ts';
import type { ManifestObject } from '#lib/spec/index.ts';
import { changeAt, fieldNamed, isOpen, type ManualChange } from './manual-changes.ts';

type Files = { readonly live: ReadObject; readonly old: ManifestObject; readonly next: ManifestObject };

/**
 * Joins changes inside a part that the new release no longer has into one change of the part: a field of a container cannot be kept without the
 * container. The user keeps or drops the whole part. If only the image's registry was changed, the part is dropped without a question.
 */
export function wholeWhereGone(changes: readonly ManualChange[], files: Files): Found[] {
  const placed = changes.map((change) => ({ change, gone: goneAbove(change, files) }));
  const groups = Map.groupBy(placed, ({ change, gone }) => gone?.path ?? change.path);
  return [...groups.values()].flatMap((group): Found[] => {
    const [{ change, gone } = { change: undefined, gone: null }] = group;
    if (change === undefined) return [];
    if (gone === null) return [{ change, isGone: false }];
    return group.every((one) => one.change.path.endsWith('.image')) ? [] : [{ change: gone, isGone: true }];
  });
}

type Found = { readonly change: ManualChange; readonly isGone: boolean };

/** The outermost part around a change that the old file has and the new one lacks; in a list, a member. */
function goneAbove({ steps }: ManualChange, { live, old, next }: Files): ManualChange | null {
  const above = steps.map((_, index) => ({ steps: steps.slice(0, index) })).slice(1);
  const gone = above.find((at) => {
    const released = fieldNamed(old, at);
    const isPart = released !== undefined && !Array.isArray(released) && !isOpen(at.steps);
    return isPart && fieldNamed(next, at) === undefined;
  });
  return gone === undefined
    ? null
    : changeAt(gone.steps, fieldNamed(old, gone), fieldNamed(live as ManifestObject, gone));
}
