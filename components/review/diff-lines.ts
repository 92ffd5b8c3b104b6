/** A line of a diff. `gap`: unchanged lines are left out here. */
export type DiffLine = { kind: 'same' | 'added' | 'removed'; text: string } | { kind: 'gap' };

/** The changes of an object. `object`: `kube-system/ConfigMap/kube-proxy`. */
export type ObjectDiff = { object: string; change: 'created' | 'deleted' | 'changed'; lines: DiffLine[] };

const nowhere = '/dev/null';

/**
 * A unified diff as `yamlDiff` of lib/plan writes it, one part for each object. Headers are recognised only outside of hunks: within a
 * hunk, a removed line that starts with `-- ` looks the same. Pure.
 */
export function diffLines(unified: string): ObjectDiff[] {
  const parts: ObjectDiff[] = [];
  let part: ObjectDiff | null = null;
  let left = { before: 0, after: 0 };
  let from = '';
  for (const line of unified.split('\n')) {
    if (part !== null && left.before + left.after > 0) {
      const kind = line.startsWith('+') ? 'added' : line.startsWith('-') ? 'removed' : 'same';
      if (kind !== 'added') left.before--;
      if (kind !== 'removed') left.after--;
      part.lines.push({ kind, text: line.slice(1) });
    } else if (line.startsWith('--- ')) {
      from = line.slice(4);
    } else if (line.startsWith('+++ ')) {
      const to = line.slice(4);
      part = {
        object: to === nowhere ? from : to,
        change: from === nowhere ? 'created' : to === nowhere ? 'deleted' : 'changed',
        lines: [],
      };
      parts.push(part);
    } else {
      const hunk = /^@@ -(\d+),(\d+) \+\d+,(\d+) @@/.exec(line);
      if (!hunk || part === null) continue;
      left = { before: Number(hunk[2]), after: Number(hunk[3]) };
      if (part.lines.length > 0 || Number(hunk[1]) > 1) part.lines.push({ kind: 'gap' });
    }
  }
  return parts;
}
