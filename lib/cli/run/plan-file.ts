import { type Clock, systemClock } from '#lib/kube/index.ts';
import { type Plan, parsePlan, planHash } from '#lib/plan/index.ts';
import { usageError } from '../exit.ts';
import { readDataFile } from '../read-file.ts';

/** Another machine's clock may go before ours by so much. */
const clockSkewMs = 60_000;

/**
 * A saved plan. Whoever wrote the file may have written anything: its choices, its cluster's UID, `madeAt` and its hash are taken from it, and the plan is
 * made again from the choices. `recorded` is there to be compared with that plan, and is neither shown nor carried out.
 */
export type PlanFile = { readonly path: string; readonly recorded: Plan };

/** Rejects with exit 2 for a file that is no plan of this version, or whose hash is another one than it says. */
export async function readPlanFile(path: string): Promise<PlanFile> {
  const recorded = parsePlan(await readDataFile('plan.json', path));
  if (planHash(recorded) !== recorded.hash)
    throw usageError(
      `plan.json: ${path} was changed after it was made: its hash no longer fits. Rebuild the plan and review it.`,
    );
  return { path, recorded };
}

/** `clock`: the cluster's; a sandbox has its own, which may be ahead of this machine's or behind it. */
export function refuseFuture({ path, recorded }: PlanFile, clock: Clock): void {
  const madeAt = /^\d{4}-\d\d-\d\dT/.test(recorded.madeAt) ? Date.parse(recorded.madeAt) : Number.NaN;
  if (Number.isNaN(madeAt)) throw usageError(`plan.json: ${path}: madeAt is not a time. Make the plan again.`);
  if (madeAt > Math.max(clock.now(), systemClock.now()) + clockSkewMs)
    throw usageError(`plan.json: ${path}: madeAt is in the future. Set this machine's clock, or make the plan again.`);
}
