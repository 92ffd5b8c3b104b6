import type { Subject } from '#lib/facts/index.ts';

/** Groups subjects of the same kind with the same detail, in order of first appearance, so that a cause is shown once. */
export function sameCause(subjects: readonly Subject[]): [Subject, ...Subject[]][] {
  const causes = Map.groupBy(subjects, ({ kind, detail }) => JSON.stringify([kind, detail]));
  return [...causes.values()].flatMap(([first, ...others]): [Subject, ...Subject[]][] =>
    first === undefined ? [] : [[first, ...others]],
  );
}
