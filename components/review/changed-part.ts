/** The part of a line that differs from another, as character offsets, `to` exclusive. Null if most of it differs, so that marking is useless. Pure. */
export function changedPart(line: string, other: string): { from: number; to: number } | null {
  const shared = Math.min(line.length, other.length);
  let from = 0;
  while (from < shared && line[from] === other[from]) from++;
  // Whole words are marked: "Iptables", not only the letters that "BPF" lacks.
  while (from > 0 && /[\w.-]/.test(line[from - 1] ?? '')) from--;
  let end = 0;
  while (end < shared - from && line[line.length - 1 - end] === other[other.length - 1 - end]) end++;
  while (end > 0 && /[\w.-]/.test(line[line.length - end] ?? '')) end--;
  const to = line.length - end;
  return from >= to || line.slice(0, from).trim() === '' ? null : { from, to };
}
