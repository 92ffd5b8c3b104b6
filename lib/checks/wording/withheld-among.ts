import type { Finding } from '../findings.ts';

/** A single finding is not grouped: its own remedy names what it lacks. */
const fewest = 2;

/**
 * Findings that only lack permissions, or kinds that a dump leaves out: one remedy settles all of them. Empty if fewer than two do. A finding that is
 * accepted, follows from another or was verified by a run that still counts is not among them.
 */
export function withheldAmong(findings: readonly Finding[]): readonly Finding[] {
  const found = findings.filter(
    ({ status, acknowledged, followsFrom, verifiedBy, withheld = [] }) =>
      status === 'unknown' &&
      acknowledged === null &&
      followsFrom === null &&
      verifiedBy?.stale !== null &&
      withheld.length > 0,
  );
  return found.length < fewest ? [] : found;
}

/** What the findings of `withheldAmong` lack; follows their number: `32 only lack permissions, which one set of Roles gives`. */
export function lackWords(withheld: readonly Finding[]): string {
  const gaps = withheld.flatMap(({ withheld: lacking = [] }) => lacking);
  const refused = gaps.some(({ rule }) => rule !== undefined);
  if (gaps.every(({ rule }) => rule !== undefined)) return 'only lack permissions, which one set of Roles gives';
  return refused
    ? 'only lack permissions, or kinds that the dump leaves out'
    : 'only lack kinds that the dump leaves out';
}
