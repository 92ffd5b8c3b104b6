import type { ReadObject } from '#lib/facts/index.ts';
import type { ManifestObject } from '#lib/spec/index.ts';
import { changeAt, fieldNamed, hasIndependentKeys, type ManualChange } from './manual-changes.ts';

type Files = { readonly live: ReadObject; readonly old: ManifestObject; readonly next: ManifestObject };

/**
 * Joins changes inside a part that the new release no longer has into one change of the part: a field of a container cannot be kept without the
 * container. The user keeps or drops the whole part. If only the image's registry was changed, the part is dropped without a question.
 */
export function joinedByDroppedPart(changes: readonly ManualChange[], files: Files): Found[] {
  const withParts = changes.map((change) => ({ change, droppedPart: droppedPartAbove(change, files) }));
  const groups = Map.groupBy(withParts, ({ change, droppedPart }) => droppedPart?.path ?? change.path);
  return [...groups.values()].flatMap((group): Found[] => {
    const [{ change, droppedPart } = { change: undefined, droppedPart: null }] = group;
    if (change === undefined) return [];
    if (droppedPart === null) return [{ change, isGone: false }];
    return group.every((one) => one.change.path.endsWith('.image')) ? [] : [{ change: droppedPart, isGone: true }];
  });
}

type Found = { readonly change: ManualChange; readonly isGone: boolean };

/** The outermost part around a change that the old file has and the new one lacks: a record, or a member of a list. */
function droppedPartAbove({ steps }: ManualChange, { live, old, next }: Files): ManualChange | null {
  const above = steps.map((_, index) => ({ steps: steps.slice(0, index) })).slice(1);
  const dropped = above.find((at) => {
    const released = fieldNamed(old, at);
    const isPart = released !== undefined && !Array.isArray(released) && !hasIndependentKeys(at.steps);
    return isPart && fieldNamed(next, at) === undefined;
  });
  return dropped === undefined
    ? null
    : changeAt(dropped.steps, fieldNamed(old, dropped), fieldNamed(live as ManifestObject, dropped));
}
