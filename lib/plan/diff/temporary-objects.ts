import { type ObjectRef, objectId } from '#lib/spec/index.ts';

const header = '+++ made for the time of the run, removed at its end';

/** Objects that no step writes and none leaves: a run has them while it watches. As a diff, which is no part of the hash of a plan. */
export function temporaryDiff(refs: readonly ObjectRef[]): string {
  return madeDiff(header, refs.map(objectId));
}

/** What the test of the nodes had made on which a plan rests, by id. As a diff, which stands before that of what the run makes. */
export function testedDiff(ids: readonly string[]): string {
  return ids.length === 0 ? '' : madeDiff('+++ made by the test of the nodes before this plan, and removed', ids);
}

function madeDiff(head: string, ids: readonly string[]): string {
  return ['--- /dev/null', head, `@@ -0,0 +1,${ids.length} @@`, ...ids.map((id) => `+${id}`), ''].join('\n');
}

/** How many such objects a diff lists. */
export function countTemporary(diff: string): number {
  const [, listed = ''] = diff.split(`${header}\n`);
  return listed.split('\n').filter((line) => line.startsWith('+')).length;
}
