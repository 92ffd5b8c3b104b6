import type { Plan } from '../plan.ts';
import type { Condition } from '../schema/condition.ts';

/** Where an upgrade begins and ends. `from`: null if the plan does not say. `hops`: how many releases are installed on the way, with the last one. */
export type WayOfUpgrade = { from: string | null; to: string; hops: number };

/** The way by the plan's conditions: those of its steps name the releases to come, those of their way back the first one. Null if the plan upgrades nothing. Pure. */
export function wayOfUpgrade({ goal, operations }: Pick<Plan, 'goal' | 'operations'>): WayOfUpgrade | null {
  if (goal !== 'upgrade') return null;
  // A plan for a manifest awaits each release twice: in the wait and in the checks after it.
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
 * The releases on the way of an upgrade. `from`: the one that runs now; null if the plan does not say. `seq`: the step after which every node runs the
 * release. `movedBy`: the first step that moves nodes away from the release before, and whose way back moves them back.
 */
export type LegsOfUpgrade = { from: string | null; to: { version: string; seq: number; movedBy: number }[] };

/** The way of an upgrade, release by release. Null if the plan upgrades nothing. Pure. */
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

/** A release after which the run pauses. `before`: the step that comes next. */
export type Station = { version: string; before: number };

/** Where an upgrade pauses because its administrator chose `pauseBetween`: after the last step of a release, before the first of the next. Pure. */
export function stationsOf(plan: Pick<Plan, 'goal' | 'operations' | 'choices'>): Station[] {
  if (plan.choices.pauseBetween !== true) return [];
  const legs = legsOfUpgrade(plan)?.to ?? [];
  return legs.slice(0, -1).flatMap(({ version, seq }) => {
    const next = plan.operations.find((one) => one.seq > seq && one.status === 'needed' && one.id !== endsItsRelease);
    return next ? [{ version, before: next.seq }] : [];
  });
}

/** The step that still belongs to the release whose nodes were awaited before it. */
const endsItsRelease = 'owner-refs.restore';
