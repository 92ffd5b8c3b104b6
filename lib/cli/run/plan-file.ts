import { type Clock, systemClock } from '#lib/kube/index.ts';
import { type Plan, PlanError, parsePlan, planHash } from '#lib/plan/index.ts';
import { usageError } from '../exit.ts';
import { readDataFile } from '../read-file.ts';

/** How far another machine's clock may be ahead. */
const clockSkewMs = 60_000;

/**
 * A saved plan, whose file is untrusted. Only its choices, its cluster's UID, `madeAt` and its hash are used, and the plan is made again from the choices.
 * `recorded` is only compared with that plan, neither shown nor carried out.
 */
export type PlanFile = { readonly path: string; readonly recorded: Plan };

/** Rejects with exit code 2 if the file is no plan of this version, or its hash does not match its content. */
export async function readPlanFile(path: string): Promise<PlanFile> {
  const recorded = planIn(await readDataFile('plan.json', path), path);
  if (planHash(recorded) !== recorded.hash)
    throw usageError(
      `plan.json: ${path} was changed after it was made: its hash no longer fits. Rebuild the plan and review it.`,
    );
  return { path, recorded };
}

function planIn(data: unknown, path: string): Plan {
  try {
    return parsePlan(data);
  } catch (error) {
    if (!(error instanceof PlanError)) throw error;
    throw new PlanError(
      error.code,
      `plan.json: ${path}: ${error.message} Rebuild it with \`signalbox plan --out FILE\`.`,
    );
  }
}

/** Refuses a plan from the future. `clock`: the cluster's; a sandbox has its own, which may differ from this machine's. */
export function refuseFuture({ path, recorded }: PlanFile, clock: Clock): void {
  const madeAt = /^\d{4}-\d\d-\d\dT/.test(recorded.madeAt) ? Date.parse(recorded.madeAt) : Number.NaN;
  if (Number.isNaN(madeAt)) throw usageError(`plan.json: ${path}: madeAt is not a time. Rebuild the plan.`);
  if (madeAt > Math.max(clock.now(), systemClock.now()) + clockSkewMs)
    throw usageError(`plan.json: ${path}: madeAt is in the future. Set this machine's clock, or rebuild the plan.`);
}
