import { isKubeError } from '#lib/kube/index.ts';
import {
  type Continuation,
  continueRun,
  type Identity,
  isPassing,
  type Journal,
  type RunMemory,
  type RunState,
} from '#lib/run/index.ts';
import { journalNamespaces } from '#lib/spec/index.ts';
import { askHolder, meetRequest, meetRequestFromOutside } from '#lib/usecases/index.ts';
import type { RequestTiming, RunRequest, Slug } from '../../host.ts';
import type { RunView } from '../../wire.ts';
import type { OpenClusters, UsedCluster } from '../clusters/open-clusters.ts';
import { refusalAsError } from '../failures.ts';
import type { HostLog } from '../host-log.ts';
import { oneAtATime } from '../one-at-a-time.ts';
import { Refused } from '../refused.ts';
import { type CarriedRun, type CarriedRuns, underWay } from './carried-runs.ts';
import { readKnownRun } from './read-known-run.ts';
import { refuseOtherName } from './starts.ts';
import { turnedAt } from './turned-at.ts';

export type RunRequests = {
  ask(cluster: Slug, run: string, request: RunRequest): Promise<RequestTiming>;
};

export type RunRequestsOptions = {
  clusters: OpenClusters;
  carried: CarriedRuns;
  identity: Identity;
  memory: RunMemory;
  viewOfRun: (cluster: Slug, run: string) => Promise<RunView>;
  signal: AbortSignal;
  log: HostLog;
};

/** Pause, resume, stop, undo, take over: by this process, by the process that carries the run, or by taking the run up here. */
export function runRequests(options: RunRequestsOptions): RunRequests {
  const { clusters, carried, identity, memory, viewOfRun, signal, log } = options;
  const inTurn = oneAtATime();
  /** The revision of the page with which each request was last made, to recognise a second click or a replay. */
  const taken = new Map<string, number>();
  /** The request that a run of this process got while its cluster was away. */
  const pending = new WeakMap<CarriedRun, RunRequest['action']>();

  const ask = async (cluster: Slug, run: string, request: RunRequest): Promise<RequestTiming> =>
    clusters.using(cluster, async (used) => {
      const { kube, clock } = used;
      const known = await readKnownRun(kube, run, memory).catch(whereAway);
      if ('away' in known) return askUnheard(used, run, request, known.away);
      const { journal, plan } = known;
      const { state } = journal;
      const own = await settledHolder(used, run, journal);
      await refuseOvertaken(cluster, run, request, state);
      if (request.action === 'undo') refuseOtherName(plan.cluster, request.confirmation ?? null);
      const context = { kube, clock, journalNamespaces, identity, signal };
      const met = own
        ? meetRequest(request.action, { run, state, carriedBy: 'this-process' })
        : await meetRequestFromOutside(context, request.action, { run, state });
      if ('refused' in met) throw refusalAsError(met.refused);
      if (met.by === 'own-run') own?.control.ask(met.action);
      else if (met.by === 'holder') {
        const refused = await askHolder(context, run, met);
        if (refused) throw refusalAsError(refused);
      } else {
        const continuation = continuationOf(met.how, request, state);
        await carried.carry(cluster, request.action, (toCarry) => continueRun(toCarry, run, continuation), run);
      }
      noteTaken(cluster, run, request);
      return 'now';
    });

  const noteTaken = (cluster: Slug, run: string, { action, revision }: RunRequest): void => {
    taken.set(`${cluster} ${run} ${action}`, revision);
    log(`${action} was asked of run ${run} on ${cluster}`);
  };

  /**
   * Makes a request although the journal cannot be read: the run is carried here and looks at the request first when its cluster answers again
   * (architecture.md › Run). Only one: after a pause or a stop, the run would no longer be carried here for a second one.
   */
  const askUnheard = async (
    used: UsedCluster,
    run: string,
    request: RunRequest,
    away: unknown,
  ): Promise<RequestTiming> => {
    const { slug } = used;
    const own = await carried.carrying(used, run);
    const { state, cluster } = await viewOfRun(slug, run);
    if (!own || state.kind !== 'running') throw away;
    const before = pending.get(own);
    if (before === request.action) return 'once-it-answers';
    if (before !== undefined)
      throw new Refused(
        'run.asked',
        `The API server does not answer, and ${before} was already requested. Try again once the run has done that.`,
      );
    await refuseOvertaken(slug, run, request, state);
    if (request.action === 'undo') refuseOtherName(cluster, request.confirmation ?? null);
    const met = meetRequest(request.action, { run, state, carriedBy: 'this-process' });
    if ('refused' in met) throw refusalAsError(met.refused);
    if (met.by === 'own-run') own.control.ask(met.action);
    pending.set(own, request.action);
    noteTaken(slug, run, request);
    return 'once-it-answers';
  };

  /**
   * The run if it is under way in this process. If it has just paused, waits until this process has let it go. If it is only being taken up, its
   * journal says *paused* too, but waiting for its end might take an hour: throws Refused `run.under-way`.
   */
  const settledHolder = async (used: UsedCluster, run: string, journal: Journal): Promise<CarriedRun | null> => {
    const own = await carried.carrying(used, run);
    if (!own) return null;
    if (journal.state.kind === 'running') return own;
    if (!own.moves) throw underWay(own);
    await own.ended;
    return null;
  };

  /**
   * Refuses a request from a page that showed an older state. Compares with the revision of the last change of state, because progress alone raises
   * the revision every second and does not change the question.
   */
  const refuseOvertaken = async (
    cluster: Slug,
    run: string,
    { action, revision }: RunRequest,
    state: RunState,
  ): Promise<void> => {
    const last = taken.get(`${cluster} ${run} ${action}`);
    if (revision < (await turnedAt(viewOfRun, cluster, run, state)) || (last !== undefined && revision <= last))
      throw new Refused(
        'run.changed',
        'The run has moved on since this page was shown. Look at it again, then decide.',
      );
  };

  return { ask: (cluster, run, request) => inTurn(`${cluster} ${run}`, () => ask(cluster, run, request)) };
}

/** An unreachable API server as data; other errors are thrown on. */
function whereAway(error: unknown): { away: unknown } {
  if (isKubeError(error) && isPassing(error)) return { away: error };
  throw error;
}

/** The reason that the page sends belongs to the doubt at which the run is paused. */
function continuationOf(how: Continuation['how'], { acknowledge }: RunRequest, state: RunState): Continuation {
  return how === 'resume' && acknowledge !== undefined && state.kind === 'paused'
    ? { how, acknowledge: { [state.id]: acknowledge } }
    : { how };
}
