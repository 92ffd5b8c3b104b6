import { asksForName, type Plan } from '#lib/plan/index.ts';
import { startRun } from '#lib/run/index.ts';
import { isNameAsShown } from '#lib/text/index.ts';
import { type AnyRefusal, nothingToDo, whyNotReady } from '#lib/usecases/index.ts';
import type { Slug, StartRequest } from '../../host.ts';
import type { DraftStore } from '../drafts/draft-store.ts';
import type { Reviews } from '../drafts/reviews.ts';
import { refusalAsError } from '../failures.ts';
import type { HostLog } from '../host-log.ts';
import { oneAtATime } from '../one-at-a-time.ts';
import { Refused } from '../refused.ts';
import type { CarriedRuns } from './carried-runs.ts';

export type Starts = {
  start(cluster: Slug, draft: string, request: StartRequest): Promise<string>;
  /** Starts a plan that was reviewed and confirmed on the command line of this machine. */
  carry(cluster: Slug, plan: Plan): Promise<string>;
};

export function starts(options: { drafts: DraftStore; reviews: Reviews; carried: CarriedRuns; log: HostLog }): Starts {
  const { drafts, reviews, carried, log } = options;
  const inTurn = oneAtATime();

  const carry = (cluster: Slug, plan: Plan): Promise<string> => {
    refuseIf(whyNotReady(plan));
    return carried.carry(cluster, 'start', async (context) => {
      const result = await startRun(context, plan);
      // An earlier attempt started this plan and lost the answer: the same plan is the same run.
      if ('refused' in result && result.refused.kind === 'unfinished' && result.refused.samePlan)
        throw new AlreadyStarted(result.refused.run);
      return result;
    });
  };

  return {
    carry,
    start: (cluster, id, request) =>
      inTurn(id, async () => {
        const draft = await drafts.read(cluster, id);
        // A second click.
        if (draft.run !== null) return draft.run;
        if (draft.revision !== request.revision)
          throw new Refused(
            'draft.changed',
            'These answers were changed in another tab or browser since this plan was shown. Review the plan again.',
          );
        // Reads again even if the review is fresh: the cluster may have changed since.
        const { plan } = await reviews.review(draft, 'again');
        refuseIf(nothingToDo(plan));
        if (plan.hash !== request.planHash)
          throw new Refused(
            'plan.changed',
            'The cluster has changed since this plan was shown, and so has the plan. Review it again, then start.',
          );
        refuseIf(whyNotReady(plan));
        if (asksForName(plan)) refuseOtherName(plan.cluster, request.confirmation);
        await drafts.starting(cluster, id, plan.hash);
        const run = await carry(cluster, plan).catch((error: unknown) => {
          if (error instanceof AlreadyStarted) return error.run;
          throw error;
        });
        log(`draft ${id} became run ${run} on ${cluster}`);
        // The run is under way even if its draft cannot be updated.
        await drafts.started(cluster, id, run).catch((error: unknown) => log(`draft ${id} of run ${run}`, error));
        return run;
      }),
  };
}

class AlreadyStarted extends Refused {
  readonly run: string;

  constructor(run: string) {
    super('run.unfinished', `Run ${run} already carries out this plan and has not ended.`);
    this.run = run;
  }
}

function refuseIf(refusal: AnyRefusal | null): void {
  if (refusal) throw refusalAsError(refusal);
}

export function refuseOtherName(cluster: string, given: string | null): void {
  if (given !== null && isNameAsShown(given, cluster)) return;
  const message =
    given === null || given === ''
      ? `Type the cluster's name, ${cluster}, to continue.`
      : `${JSON.stringify(given)} is not this cluster's name; it is ${cluster}.`;
  throw new Refused('confirmation.needed', message, { confirmation: message });
}
