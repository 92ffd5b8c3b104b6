import { type Clock, isKubeError, type Kube } from '#lib/kube/index.ts';
import {
  answeredRequests,
  type Continuation,
  continueRun,
  hasEnded,
  holderIdentity,
  type Identity,
  isPassing,
  type Journal,
  type RunMemory,
  type RunState,
  sendRequest,
} from '#lib/run/index.ts';
import { journalNamespaces } from '#lib/spec/index.ts';
import type { Heard, RunRequest, Slug } from '../../host.ts';
import type { RunView } from '../../wire.ts';
import type { OpenClusters, UsedCluster } from '../clusters/open-clusters.ts';
import { refusalAsError } from '../failures.ts';
import type { HostLog } from '../host-log.ts';
import { oneAtATime } from '../one-at-a-time.ts';
import { Refused } from '../refused.ts';
import type { CarriedRun, CarriedRuns } from './carried-runs.ts';
import { otherHolder } from './holder-of-lease.ts';
import { readKnownRun } from './read-known-run.ts';
import { refuseOtherName } from './starts.ts';
import { turnedAt } from './turned-at.ts';

/** A holder looks for requests between two looks at the cluster; on 5,000 nodes that takes up to 15 s. */
const answerWithinMs = 30_000;

export type RunRequests = {
  ask(cluster: Slug, run: string, request: RunRequest): Promise<Heard>;
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

type Asked = { kube: Kube; clock: Clock; cluster: Slug; run: string; request: RunRequest; journal: Journal };

/** Pause, resume, stop, undo, take over: in this process, by the process that carries the run, or by carrying it from here on. */
export function runRequests(options: RunRequestsOptions): RunRequests {
  const { clusters, carried, identity, memory, viewOfRun, signal, log } = options;
  const inTurn = oneAtATime();
  /** The revision with which each thing was asked last: the same page's second click, or a replay. */
  const taken = new Map<string, number>();
  /** What a run of this process was asked while its cluster was away. */
  const kept = new WeakMap<CarriedRun, RunRequest['action']>();

  const ask = async (cluster: Slug, run: string, request: RunRequest): Promise<Heard> =>
    clusters.using(cluster, async (used) => {
      const { kube, clock } = used;
      const known = await readKnownRun(kube, run, memory).catch(whereAway);
      if ('away' in known) return askUnheard(used, run, request, known.away);
      const { journal, plan } = known;
      const own = await settledHolder(used, run, journal);
      await refuseOvertaken(cluster, run, request, journal.state);
      refuseImpossible(journal.state, request);
      if (request.action === 'undo') refuseOtherName(plan.cluster, request.confirmation ?? null);
      const asked = { kube, clock, cluster, run, request, journal };
      if (own) askWithin(own, request);
      else await askOutside(asked);
      noteTaken(cluster, run, request);
      return 'now';
    });

  const noteTaken = (cluster: Slug, run: string, { action, revision }: RunRequest): void => {
    taken.set(`${cluster} ${run} ${action}`, revision);
    log(`${action} was asked of run ${run} on ${cluster}`);
  };

  /**
   * The journal cannot be read, but the run is carried here: what it is asked reaches it all the same, and it looks at that first when its cluster
   * answers again (architecture.md › Run). One thing only: whatever comes after a pause or a stop would be asked of a run that has ended here.
   */
  const askUnheard = async (used: UsedCluster, run: string, request: RunRequest, away: unknown): Promise<Heard> => {
    const { slug } = used;
    const own = await carried.carrying(used, run);
    const { state, cluster } = await viewOfRun(slug, run);
    if (!own || state.kind !== 'running') throw away;
    const before = kept.get(own);
    if (before === request.action) return 'once-it-answers';
    if (before !== undefined)
      throw new Refused(
        'run.asked',
        `The API server does not answer, and ${before} was asked of this run already. Once it answers and the run has done that, ask again.`,
      );
    await refuseOvertaken(slug, run, request, state);
    refuseImpossible(state, request);
    if (request.action === 'undo') refuseOtherName(cluster, request.confirmation ?? null);
    askWithin(own, request);
    kept.set(own, request.action);
    noteTaken(slug, run, request);
    return 'once-it-answers';
  };

  /** The run in this process, if it is under way here. One that has just paused is on its way out: it is awaited. */
  const settledHolder = async (used: UsedCluster, run: string, journal: Journal): Promise<CarriedRun | null> => {
    const own = await carried.carrying(used, run);
    if (!own) return null;
    if (journal.state.kind === 'running') return own;
    await own.ended;
    return null;
  };

  /** Each second of a run has its event: only what turned it makes the question on a page another one. */
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
        'The run has moved on since this page was shown. Look at where it is now, then ask again.',
      );
  };

  const askWithin = (own: CarriedRun, { action }: RunRequest): void => {
    if (action === 'resume' || action === 'take-over')
      throw new Refused('run.going-on', 'This run is going on already, in this console.');
    own.control.ask(action);
  };

  const askOutside = async (asked: Asked): Promise<void> => {
    const { kube, clock, cluster, run, request, journal } = asked;
    // Only a run that goes on is carried by anybody.
    const holder = journal.state.kind === 'running' ? await otherHolder({ kube, clock }, identity, signal) : null;
    if (holder !== null) return askHolder(asked, holder);
    const continuation = continuationOf(request, journal);
    await carried.carry(cluster, request.action, (context) => continueRun(context, run, continuation));
  };

  const askHolder = async ({ kube, clock, run, request, journal }: Asked, holder: string): Promise<void> => {
    const { action } = request;
    if (action === 'resume' || action === 'take-over')
      throw new Refused('run.held', `This run is going on: another process carries it (${holder}).`);
    const by = holderIdentity(identity);
    const known = answeredRequests(journal).length;
    await sendRequest(kube, journalNamespaces, run, action, by, clock);
    const began = clock.monotonic();
    while (clock.monotonic() - began < answerWithinMs) {
      const answered = answeredRequests((await readKnownRun(kube, run, memory)).journal);
      if (answered.slice(known).includes(`${action} by ${by}`)) return;
      await clock.sleep(500, signal);
    }
    throw new Refused(
      'run.no-answer',
      `The process that carries run ${run} (${holder}) did not answer within 30 s. Its Lease runs out 15 s after it is gone; then the run can be taken over.`,
    );
  };

  return { ask: (cluster, run, request) => inTurn(`${cluster} ${run}`, () => ask(cluster, run, request)) };
}

/** An API server that is away, as data; anything else goes on as it was thrown. */
function whereAway(error: unknown): { away: unknown } {
  if (isKubeError(error) && isPassing(error)) return { away: error };
  throw error;
}

/** What cannot be asked of a run in this state, whoever carries it. */
function refuseImpossible(state: RunState, { action }: RunRequest): void {
  if (action === 'undo') {
    if (state.kind === 'undone') throw new Refused('run.undone', 'This run was taken back already.');
    if (state.kind === 'running' && state.direction === 'undo')
      throw new Refused('run.undoing', 'This run is being taken back already.');
    return;
  }
  if (hasEnded(state)) throw refusalAsError({ kind: 'ended', state: state.kind });
  if (action === 'pause' && state.kind === 'paused') throw new Refused('run.paused', 'This run is paused already.');
}

/** What this process does when it takes a run up that nobody carries. */
function continuationOf({ action, acknowledge }: RunRequest, { state }: Journal): Continuation {
  switch (action) {
    case 'pause':
      throw new Refused(
        'run.not-carried',
        'Nobody carries this run at the moment, so that there is nothing to pause. Carry it on, take it back or stop it.',
      );
    case 'resume':
    case 'take-over':
      return {
        how: 'resume',
        ...(acknowledge !== undefined && state.kind === 'paused' ? { acknowledge: { [state.id]: acknowledge } } : {}),
      };
    case 'undo':
      return { how: 'undo' };
    case 'stop':
      return { how: 'stop' };
  }
}
