import { counted } from '#lib/base/words.ts';
import type { Subject } from '#lib/facts/index.ts';

/** `2 nodes`, `1 Service`, `5 objects`: short enough for a column. What the cluster does not have yet is not counted. */
export function whereOf(subjects: readonly Subject[]): string {
  const there = subjects.filter(({ missing }) => missing === undefined);
  const [kind, ...others] = new Set(there.map((one) => one.kind));
  if (kind === undefined) return '';
  if (kind === 'Node' && others.length === 0) return counted(there.length, 'node');
  if (others.length > 0 || (there.length > 1 && /[sy]$/.test(kind)) || kind.length > 10)
    return counted(there.length, 'object');
  return counted(there.length, kind);
}
