import type { Finding } from '../findings.ts';

/** A single one says itself what it lacks. */
const fewest = 2;

/**
 * Findings that wait for nothing but rights, or for kinds of a dump: one matter with one remedy, and no decisions of the reader's. None where no two wait. An accepted finding does not,
 * nor one that follows from another, nor one that a run verified since.
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

/** What `withheldAmong` found lacks, behind its number: `32 only lack permissions, which one set of Roles gives`. */
export function lackWords(withheld: readonly Finding[]): string {
  const gaps = withheld.flatMap(({ withheld: lacking = [] }) => lacking);
  const refused = gaps.some(({ rule }) => rule !== undefined);
  if (gaps.every(({ rule }) => rule !== undefined)) return 'only lack permissions, which one set of Roles gives';
  return refused
    ? 'only lack permissions, or kinds that the dump leaves out'
    : 'only lack kinds that the dump leaves out';
}
