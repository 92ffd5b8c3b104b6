/**
 * The generation of the Installation that a TigeraStatus is about, and whether that is the current one; null if it has none. Only `calico` tracks the
 * Installation's own generation (calico.md §4).
 */
export function generationOfStatus(
  { name, conditions }: { name: string; conditions: readonly { observedGeneration: number | null }[] },
  installationGeneration: number,
): { observed: number | null; current: boolean | null } {
  const newest = Math.max(-1, ...conditions.map(({ observedGeneration }) => observedGeneration ?? -1));
  const observed = newest < 0 ? null : newest;
  const current = name === 'calico' && observed !== null ? observed >= installationGeneration : null;
  return { observed, current };
}
