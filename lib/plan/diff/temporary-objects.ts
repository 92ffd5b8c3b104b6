import { type ObjectRef, objectId } from '#lib/spec/index.ts';

const header = '+++ made for the time of the run, removed at its end';

/** Objects that no step writes and none leaves: a run has them while it watches. As a diff, which is no part of the hash of a plan. */
export function temporaryDiff(refs: readonly ObjectRef[]): string {
  return ['--- /dev/null', header, `@@ -0,0 +1,${refs.length} @@`, ...refs.map((ref) => `+${objectId(ref)}`), ''].join(
    '\n',
  );
}

/** How many such objects a diff lists. */
export function countTemporary(diff: string): number {
  const [, listed = ''] = diff.split(`${header}\n`);
  return listed.split('\n').filter((line) => line.startsWith('+')).length;
}
