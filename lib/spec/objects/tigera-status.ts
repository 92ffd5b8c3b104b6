/**
 * Of which generation of the Installation a TigeraStatus speaks, and whether that is the one of now; null where it does not say. Only `calico` tracks
 * the Installation's own generation (calico.md §4).
 */
export function generationTold(
  { name, conditions }: { name: string; conditions: readonly { observedGeneration: number | null }[] },
  installationGeneration: number,
): { observed: number | null; current: boolean | null } {
  const newest = Math.max(-1, ...conditions.map(({ observedGeneration }) => observedGeneration ?? -1));
  const observed = newest < 0 ? null : newest;
  const current = name === 'calico' && observed !== null ? observed >= installationGeneration : null;
  return { observed, current };
}
