import { randomBytes } from 'node:crypto';
import { type Clock, isKubeError, type Kube, KubeError } from '#lib/kube/index.ts';
import type { Plan } from '#lib/plan/index.ts';
import { names, resources } from '#lib/spec/index.ts';
import type { RunControl } from './control.ts';
import type { Emit, RunEvent } from './event.ts';
import { executeRun, type RunOutcome, remainsOf } from './executor.ts';
import { holderIdentity, type Identity, processAlive } from './identity.ts';
import { directionOf, type Entry, hasEnded, type Journal, type RunState } from './journal.ts';
import { createJournal, journalOf, openJournal } from './journal-store.ts';
import { acquireLease, type HeldLease, leaseTimes } from './lease.ts';

/** Everything a process needs to carry runs on one cluster. */
export type RunContext = {
  kube: Kube;
  clock: Clock;
  /** Where journal and Lease live: kube-system unless `--journal-namespace`. */
  namespace: string;
  identity: Identity;
  control: RunControl;
  /** Receives every event with its id and time. */
  onEvent(event: RunEvent): void;
  signal: AbortSignal;
};

/** Why a run did not start or go on; nothing was changed. */
export type Refusal =
  | { kind: 'held'; holder: string; run: string | null }
  | { kind: 'unfinished'; run: string; samePlan: boolean }
  | { kind: 'no-such-run' }
  | { kind: 'ended'; state: RunState['kind'] }
  | { kind: 'other-cluster' };

export type RunResult = { run: string; outcome: RunOutcome } | { refused: Refusal };

export type RunSummary = {
  run: string;
  goal: string;
  state: RunState;
  startedAt: string;
  startedBy: string;
  planHash: string;
};

/** Starts a plan under the Lease. A cluster with a run that has not ended is refused: it is carried on, taken back or stopped first. */
export async function startRun(
  context: RunContext,
  plan: Plan,
  acknowledged: Record<string, string>,
): Promise<RunResult> {
  const system = await context.kube.get({ resource: resources.namespaces, name: names.systemNamespace });
  if (plan.clusterUid !== null && system?.metadata.uid !== plan.clusterUid)
    return { refused: { kind: 'other-cluster' } };
  return underLease(context, async (lease) => {
    const unfinished = (await listRuns(context.kube, context.namespace)).find((run) => !hasEnded(run.state));
    if (unfinished)
      return { refused: { kind: 'unfinished', run: unfinished.run, samePlan: unfinished.planHash === plan.hash } };
    const startedAt = new Date(context.clock.now()).toISOString();
    const journal: Journal = {
      apiVersion: 'signalbox.dev/v1',
      kind: 'Journal',
      run: newRunId(startedAt),
      goal: plan.goal,
      cluster: plan.cluster,
      planHash: plan.hash,
      startedAt,
      startedBy: holderIdentity(context.identity),
      state: { kind: 'running', direction: 'forward' },
      acknowledged,
      entries: [],
    };
    const opened = await createJournal(context.kube, context.namespace, journal, plan);
    return { run: journal.run, outcome: await execute(context, lease, opened) };
  });
}

export type Continuation = { how: 'resume'; acknowledge?: Record<string, string> } | { how: 'undo' } | { how: 'stop' };

/** Carries a run on, takes it back, or ends it where it stands. `patienceMs`: how long a silent holder is watched before it counts as gone. */
export async function continueRun(context: RunContext, run: string, continuation: Continuation): Promise<RunResult> {
  return underLease(context, async (lease) => {
    const opened = await openJournal(context.kube, context.namespace, run);
    if (!opened) return { refused: { kind: 'no-such-run' } };
    const { state } = opened.current();
    const undoable = state.kind === 'done' || state.kind === 'stopped' || state.kind === 'failed';
    if (hasEnded(state) && !(continuation.how === 'undo' && undoable))
      return { refused: { kind: 'ended', state: state.kind } };

    const other = (await listRuns(context.kube, context.namespace)).find(
      (one) => one.run !== run && !hasEnded(one.state),
    );
    if (other) return { refused: { kind: 'unfinished', run: other.run, samePlan: false } };

    const at = new Date(context.clock.now()).toISOString();
    const by = holderIdentity(context.identity);
    const entries: Entry[] = lease.takenFrom ? [{ what: 'taken-over', at, by, from: lease.takenFrom }] : [];
    if (continuation.how === 'stop') {
      const _remains = remainsOf(opened);
      await opened.append([...entries, { what: 'ended', at, state: 'stopped' }], {
        state: { kind: 'stopped', remains: [] },
      });
      return { run, outcome: { kind: 'stopped', remains: [] } };
    }
    const acknowledge = continuation.how === 'resume' ? (continuation.acknowledge ?? {}) : {};
    for (const [id, reason] of Object.entries(acknowledge)) entries.push({ what: 'acknowledged', at, id, reason });
    const undoing = directionOf(opened.current()) === 'undo';
    if (continuation.how === 'undo' && !undoing) entries.push({ what: 'undo-asked', at, by });
    else entries.push({ what: 'resumed', at, by });
    await opened.append(entries, {
      state: { kind: 'running', direction: continuation.how === 'undo' || undoing ? 'undo' : 'forward' },
      acknowledged: { ...opened.current().acknowledged, ...acknowledge },
    });
    return { run, outcome: await execute(context, lease, opened) };
  });
}

/** Newest first. Journals that this version cannot read are passed over. */
export async function listRuns(kube: Kube, namespace: string): Promise<RunSummary[]> {
  const runs: RunSummary[] = [];
  for await (const page of kube.list(resources.configMaps, { namespace, labelSelector: names.runLabel })) {
    for (const object of page.items) {
      const journal = journalOf(object);
      if (journal)
        runs.push({
          run: journal.run,
          goal: journal.goal,
          state: journal.state,
          startedAt: journal.startedAt,
          startedBy: journal.startedBy,
          planHash: journal.planHash,
        });
    }
  }
  return runs.sort((a, b) => b.startedAt.localeCompare(a.startedAt));
}

async function underLease(context: RunContext, work: (lease: HeldLease) => Promise<RunResult>): Promise<RunResult> {
  const { kube, clock, namespace, identity, signal } = context;
  const lease = await acquireLease({
    kube,
    clock,
    namespace,
    identity,
    signal,
    patienceMs: leaseTimes.durationMs + 1_000,
    // The same installation carries on at once when its old process is dead.
    isDead: async (holder) => {
      const [install, process] = holder.split('/');
      return install === identity.install && process !== undefined && !(await processAlive(process));
    },
  });
  if ('kind' in lease)
    return { refused: { kind: 'held', holder: lease.holder, run: await runningRun(kube, namespace) } };
  try {
    return await work(lease);
  } finally {
    await lease.release();
  }
}

async function runningRun(kube: Kube, namespace: string): Promise<string | null> {
  try {
    return (await listRuns(kube, namespace)).find((run) => run.state.kind === 'running')?.run ?? null;
  } catch (error) {
    if (isKubeError(error)) return null;
    throw error;
  }
}

function execute(
  context: RunContext,
  lease: HeldLease,
  journal: Awaited<ReturnType<typeof createJournal>>,
): Promise<RunOutcome> {
  const { kube, clock, namespace, identity, control, signal, onEvent } = context;
  const { run } = journal.current();
  let counter = 0;
  const emit: Emit = (body) =>
    onEvent({
      ...body,
      id: lease.transitions * 1e7 + counter++,
      at: new Date(clock.now()).toISOString(),
      run,
    } as RunEvent);
  return executeRun({
    kube,
    clock,
    journal,
    journalNamespace: namespace,
    lease,
    holder: holderIdentity(identity),
    control,
    emit,
    signal,
  });
}

/** `20261121-0637-3f9c`: sorts by time, fits a label and an object's name. */
function newRunId(startedAt: string): string {
  return `${startedAt.slice(0, 10).replaceAll('-', '')}-${startedAt.slice(11, 16).replace(':', '')}-${randomBytes(2).toString('hex')}`;
}

/** Reads a run as anybody may: its plan and journal. Rejects with `not-found`. */
export async function readRun(kube: Kube, namespace: string, run: string): Promise<{ plan: Plan; journal: Journal }> {
  const opened = await openJournal(kube, namespace, run);
  if (!opened) throw new KubeError('not-found', `There is no run ${JSON.stringify(run)} on this cluster.`);
  return { plan: opened.plan, journal: opened.current() };
}
