import type { WayOfUpgrade } from '#lib/plan/index.ts';

/** What a run is for, in its lists, on its page and in its report: `enable`, `upgrade v3.30.7 → v3.31.4 (2 hops)`. */
export function runGoal({ goal, upgrade }: { goal: string; upgrade?: WayOfUpgrade | null | undefined }): string {
  if (!upgrade) return goal;
  const { from, to, hops } = upgrade;
  return `${goal} ${from === null ? 'to' : `${from} →`} ${to}${hops > 1 ? ` (${hops} hops)` : ''}`;
}
