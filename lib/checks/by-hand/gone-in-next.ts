import type { ReadObject } from '#lib/facts/index.ts';
import type { ManifestObject } from '#lib/spec/index.ts';
import { changeAt, fieldNamed, isOpen, type ManualChange } from './manual-changes.ts';

type Files = { readonly live: ReadObject; readonly old: ManifestObject; readonly next: ManifestObject };

/**
 * Joins changes inside something that the new release no longer has into one change of the whole: a single field of a container could not be kept
 * without the container. The user keeps the whole or lets it go. If only the source of the image was changed, it goes without a question.
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

/** The outermost part above a change that the old file has and the new one has not. Of a list, its members count. */
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
