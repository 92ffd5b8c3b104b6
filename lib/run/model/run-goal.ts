import type { WayOfUpgrade } from '#lib/plan/index.ts';

type Aim = { goal: string; upgrade?: WayOfUpgrade | null | undefined };

/** Goals of later versions are shown unchanged. A sentence in place of a goal is not: anybody may write one into a journal. */
const oneWord = /^[a-z][a-z-]{0,30}$/;

/** The purpose of a run, for lists and its report: `enable`, `upgrade v3.30.7 → v3.31.4 (2 hops)`. */
export function runGoal(run: Aim): string {
  const way = wayInWords(run);
  if (way !== null) return `upgrade ${way}`;
  return oneWord.test(run.goal) ? run.goal : 'unknown';
}

/** `v3.30.7 → v3.31.4 (2 hops)`, or `to v3.31.4`; null for runs that upgrade nothing, and if the journal has no releases. */
export function wayInWords({ goal, upgrade }: Aim): string | null {
  if (goal !== 'upgrade' || !upgrade) return null;
  const { from, to, hops } = upgrade;
  return `${from === null ? 'to' : `${from} →`} ${to}${hops > 1 ? ` (${hops} hops)` : ''}`;
}
