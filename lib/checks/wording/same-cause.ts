import type { Subject } from '#lib/facts/index.ts';

/** The same of several is told once: subjects of one kind and one detail together, in the order in which they come. */
export function sameCause(subjects: readonly Subject[]): [Subject, ...Subject[]][] {
  const causes = Map.groupBy(subjects, ({ kind, detail }) => JSON.stringify([kind, detail]));
  return [...causes.values()].flatMap(([first, ...others]): [Subject, ...Subject[]][] =>
    first === undefined ? [] : [[first, ...others]],
  );
}
