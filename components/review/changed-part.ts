/** The part of a line that another one does not share: from, to (exclusive), in characters. Null when most of it differs: then a mark says nothing. Pure. */
export function changedPart(line: string, other: string): { from: number; to: number } | null {
  const shared = Math.min(line.length, other.length);
  let from = 0;
  while (from < shared && line[from] === other[from]) from++;
  // A word is marked whole: "Iptables", not the letters that "BPF" happens to lack.
  while (from > 0 && /[\w.-]/.test(line[from - 1] ?? '')) from--;
  let end = 0;
  while (end < shared - from && line[line.length - 1 - end] === other[other.length - 1 - end]) end++;
  while (end > 0 && /[\w.-]/.test(line[line.length - end] ?? '')) end--;
  const to = line.length - end;
  return from >= to || line.slice(0, from).trim() === '' ? null : { from, to };
}
