/**
 * Rows in which every pair of values of two columns occurs at least once (pairwise testing), without all combinations. Greedy and deterministic, so that a
 * failure can be repeated.
 */
export function everyPair<T extends Record<string, readonly unknown[]>>(
  columns: T,
): { [K in keyof T]: T[K][number] }[] {
  const names = Object.keys(columns).sort((a, b) => sizeOf(columns, b) - sizeOf(columns, a));
  const sizes = names.map((name) => sizeOf(columns, name));
  const open = new Set<number>();
  const key = (a: number, i: number, b: number, j: number) =>
    a < b ? ((a * 16 + b) * 1000 + i) * 1000 + j : ((b * 16 + a) * 1000 + j) * 1000 + i;
  for (const [a, most] of sizes.entries())
    for (let b = a + 1; b < sizes.length; b++)
      for (let i = 0; i < most; i++) for (let j = 0; j < (sizes[b] ?? 0); j++) open.add(key(a, i, b, j));

  const rows: number[][] = [];
  while (open.size > 0) {
    const [first = 0] = open;
    const row: (number | undefined)[] = names.map(() => undefined);
    const b = Math.floor(first / 1_000_000) % 16;
    const a = Math.floor(first / 16_000_000);
    row[a] = Math.floor(first / 1000) % 1000;
    row[b] = first % 1000;
    for (const [column, size] of sizes.entries()) {
      if (row[column] !== undefined) continue;
      row[column] = best(size, (value) =>
        row.reduce<number>(
          (sum, other, at) => sum + (other !== undefined && open.has(key(column, value, at, other)) ? 1 : 0),
          0,
        ),
      );
    }
    for (const [one, i] of row.entries())
      for (let two = one + 1; two < row.length; two++) open.delete(key(one, i ?? 0, two, row[two] ?? 0));
    rows.push(row.map((value) => value ?? 0));
  }
  return rows.map(
    (row) =>
      Object.fromEntries(names.map((name, at) => [name, columns[name]?.[row[at] ?? 0]])) as {
        [K in keyof T]: T[K][number];
      },
  );

  function best(size: number, worth: (value: number) => number): number {
    let [found, most] = [0, -1];
    for (let value = 0; value < size; value++) {
      const given = worth(value);
      if (given > most) [found, most] = [value, given];
    }
    return found;
  }
}

function sizeOf(columns: Record<string, readonly unknown[]>, name: string): number {
  return columns[name]?.length ?? 0;
}
