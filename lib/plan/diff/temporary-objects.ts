import type { Facts } from '#lib/facts/index.ts';
import { type ObjectRef, objectId } from '#lib/spec/index.ts';

const header = '+++ made for the time of the run, removed at its end';

/** Objects that no step writes and none leaves: a run has them while it watches. As a diff, which is no part of the hash of a plan. */
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
 * What the test of the nodes had made on which a plan rests, by id, and what became of it; undefined: an earlier version did not say. As a diff, which stands
 * before that of what the run makes.
 */
export function testedDiff(ids: readonly string[], ended: TestEnd): string {
  return ids.length === 0 ? '' : madeDiff(`${byTest}${ended === undefined ? '' : testEnds[ended]}`, ids);
}

function madeDiff(head: string, ids: readonly string[]): string {
  return ['--- /dev/null', head, `@@ -0,0 +1,${ids.length} @@`, ...ids.map((id) => `+${id}`), ''].join('\n');
}

/** How many such objects a diff lists. */
export function countTemporary(diff: string): number {
  const [, listed = ''] = diff.split(`${header}\n`);
  return listed.split('\n').filter((line) => line.startsWith('+')).length;
}
