/** The shortest way from one list of lines to another. Myers, An O(ND) Difference Algorithm (1986), on what is left between equal ends. */

export type LineChange = { kind: 'same' | 'removed' | 'added'; text: string };

/** Beyond so many edits nobody reads them one by one, and the search would cost its square in memory: all is replaced. */
const editsLimit = 500;

export function lineDiff(before: readonly string[], after: readonly string[]): LineChange[] {
  const shared = Math.min(before.length, after.length);
  let start = 0;
  while (start < shared && before[start] === after[start]) start++;
  let end = 0;
  while (end < shared - start && before[before.length - 1 - end] === after[after.length - 1 - end]) end++;
  return [
    ...as('same', before.slice(0, start)),
    ...middle(before.slice(start, before.length - end), after.slice(start, after.length - end)),
    ...as('same', before.slice(before.length - end)),
  ];
}

function as(kind: LineChange['kind'], lines: readonly string[]): LineChange[] {
  return lines.map((text) => ({ kind, text }));
}

function middle(before: readonly string[], after: readonly string[]): LineChange[] {
  const replaced = [...as('removed', before), ...as('added', after)];
  if (before.length === 0 || after.length === 0) return replaced;
  const trace = furthestPaths(before, after);
  return trace === null ? replaced : backtracked(before, after, trace);
}

/** For each number of edits, how far each diagonal was reached before it; null past the limit. */
function furthestPaths(before: readonly string[], after: readonly string[]): Map<number, number>[] | null {
  let reached = new Map<number, number>([[1, 0]]);
  const trace: Map<number, number>[] = [];
  const most = Math.min(before.length + after.length, editsLimit);
  for (let edits = 0; edits <= most; edits++) {
    trace.push(new Map(reached));
    const next = new Map(reached);
    for (let diagonal = -edits; diagonal <= edits; diagonal += 2) {
      let x = stepFrom(reached, diagonal, edits);
      while (x < before.length && x - diagonal < after.length && before[x] === after[x - diagonal]) x++;
      next.set(diagonal, x);
      reached = next;
      if (x >= before.length && x - diagonal >= after.length) return trace;
    }
  }
  return null;
}

/** Where one edit leads on this diagonal: down (added) or right (removed), whichever gets further. */
function stepFrom(reached: ReadonlyMap<number, number>, diagonal: number, edits: number): number {
  const above = reached.get(diagonal + 1) ?? -1;
  const left = reached.get(diagonal - 1) ?? -1;
  return diagonal === -edits || (diagonal !== edits && left < above) ? above : left + 1;
}

function backtracked(
  before: readonly string[],
  after: readonly string[],
  trace: readonly Map<number, number>[],
): LineChange[] {
  const changes: LineChange[] = [];
  let x = before.length;
  let y = after.length;
  for (let edits = trace.length - 1; edits >= 0; edits--) {
    const reached = trace[edits] ?? new Map<number, number>();
    const diagonal = x - y;
    const above = reached.get(diagonal + 1) ?? -1;
    const left = reached.get(diagonal - 1) ?? -1;
    const came = diagonal === -edits || (diagonal !== edits && left < above) ? diagonal + 1 : diagonal - 1;
    const fromX = edits === 0 ? 0 : (reached.get(came) ?? 0);
    const fromY = edits === 0 ? 0 : fromX - came;
    while (x > fromX && y > fromY) {
      changes.push({ kind: 'same', text: before[x - 1] ?? '' });
      x--;
      y--;
    }
    if (edits === 0) break;
    if (x === fromX) changes.push({ kind: 'added', text: after[y - 1] ?? '' });
    else changes.push({ kind: 'removed', text: before[x - 1] ?? '' });
    x = fromX;
    y = fromY;
  }
  return changes.reverse();
}
