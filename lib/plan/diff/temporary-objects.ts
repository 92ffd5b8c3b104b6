import type { Facts } from '#lib/facts/index.ts';
import { type ObjectRef, objectId } from '#lib/spec/index.ts';

const header = '+++ made for the time of the run, removed at its end';

/** The objects that a run creates while it watches and deletes at its end, as a diff. They are no part of a plan's hash. */
export function temporaryDiff(refs: readonly ObjectRef[]): string {
  return madeDiff(header, refs.map(objectId));
}

type TestEnd = NonNullable<NonNullable<Facts['measured']>['plan']>['ended'];

const byTest = '+++ made by the test of the nodes before this plan';
const testEnds: Readonly<Record<NonNullable<TestEnd>, string>> = {
  removed: ', and removed',
  kept: ', and kept there, as was asked for',
  left: ', and not removed in time: some may still be there',
};

/**
 * The objects that the test of the nodes had created, by id, and whether they were removed. `undefined`: an earlier version did not record that. As a
 * diff, before the one of what the run creates.
 */
export function testedDiff(ids: readonly string[], ended: TestEnd): string {
  return ids.length === 0 ? '' : madeDiff(`${byTest}${ended === undefined ? '' : testEnds[ended]}`, ids);
}

function madeDiff(head: string, ids: readonly string[]): string {
  return ['--- /dev/null', head, `@@ -0,0 +1,${ids.length} @@`, ...ids.map((id) => `+${id}`), ''].join('\n');
}

/** The number of objects that `temporaryDiff` lists in a diff; those of `testedDiff` do not count. */
export function countTemporary(diff: string): number {
  const [, listed = ''] = diff.split(`${header}\n`);
  return listed.split('\n').filter((line) => line.startsWith('+')).length;
}
