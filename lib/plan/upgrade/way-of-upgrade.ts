import type { Condition } from '../act.ts';
import type { Plan } from '../plan.ts';

/** Which way an upgrade goes. `from`: null where the plan does not say. `hops`: how many releases it goes to, the last one counted. */
export type WayOfUpgrade = { from: string | null; to: string; hops: number };

/** What a plan waits for tells where it goes, and what its way back waits for, where it came from. Null for plans that upgrade nothing. Pure. */
export function wayOfUpgrade({ goal, operations }: Pick<Plan, 'goal' | 'operations'>): WayOfUpgrade | null {
  if (goal !== 'upgrade') return null;
  // The checks after a manifest's wait wait for the same release once more.
  const through = new Set(operations.flatMap(({ done }) => versionsIn(done)));
  const [to] = [...through].slice(-1);
  if (to === undefined) return null;
  const [from = null] = operations.flatMap(({ undo }) => (undo ? versionsIn(undo.done) : []));
  return { from, to, hops: through.size };
}

function versionsIn(condition: Condition): string[] {
  if (condition.kind === 'all') return condition.of.flatMap(versionsIn);
  return condition.kind === 'upgraded' ? [condition.version] : [];
}

/**
 * The releases that an upgrade goes by, the one that runs first (null where the plan does not say), and for each of the others the step at whose end every
 * node runs it. `movedBy`: the first step by which nodes leave the release before; its way back brings them there again.
 */
export type LegsOfUpgrade = { from: string | null; to: { version: string; seq: number; movedBy: number }[] };

/** As `wayOfUpgrade`, release by release. Null for plans that upgrade nothing. Pure. */
export function legsOfUpgrade(plan: Pick<Plan, 'goal' | 'operations'>): LegsOfUpgrade | null {
  const way = wayOfUpgrade(plan);
  if (way === null) return null;
  const arrivals = new Map<string, number>();
  for (const { seq, done } of plan.operations)
    for (const version of versionsIn(done)) if (!arrivals.has(version)) arrivals.set(version, seq);
  const returns = plan.operations.filter(({ undo }) => undo !== null && versionsIn(undo.done).length > 0);
  let last = 0;
  const to = [...arrivals].map(([version, seq]) => {
    const movedBy = returns.find((one) => one.seq > last && one.seq < seq)?.seq ?? seq;
    last = seq;
    return { version, seq, movedBy };
  });
  return { from: way.from, to };
}

/** A release on the way where the run pauses, and the step that it would go on with. */
export type Station = { version: string; before: number };

/** Where an upgrade pauses because its administrator asked for it: once all of a release is done, and before anything of the next. Pure. */
export function stationsOf(plan: Pick<Plan, 'goal' | 'operations' | 'choices'>): Station[] {
  if (plan.choices.pauseBetween !== true) return [];
  const legs = legsOfUpgrade(plan)?.to ?? [];
  return legs.slice(0, -1).flatMap(({ version, seq }) => {
    const next = plan.operations.find((one) => one.seq > seq && one.status === 'needed' && one.id !== endsItsRelease);
    return next ? [{ version, before: next.seq }] : [];
  });
}

/** What belongs to the release whose nodes were just awaited. */
const endsItsRelease = 'owner-refs.restore';
