import { randomBytes } from 'node:crypto';
import { type Plan, wayOfUpgrade } from '#lib/plan/index.ts';
import { executeRun, type RunOutcome } from '../engine/execute-run.ts';
import type { HeldLease } from '../engine/lease.ts';
import { prepareJournalNamespace } from '../journal/journal-namespace.ts';
import { createJournal, isOfCluster, type OpenJournal, openJournal } from '../journal/journal-store.ts';
import { listRuns } from '../journal/list-runs.ts';
import { namespaceOfRun } from '../journal/namespace-of-run.ts';
import { acceptedAtStart } from '../model/accepted-risks.ts';
import type { Emit, RunEvent } from '../model/event.ts';
import { hasEnded } from '../model/has-ended.ts';
import { type Journal, journalledWay } from '../model/journal.ts';
import { carriesOut, unfinishedRun } from '../model/run-summary.ts';
import { holderIdentity } from '../state-folder/identity.ts';
import type { PlacedRun, RunContext, RunResult } from './run-context.ts';
import { underLease } from './under-lease.ts';

/** Starts a plan under the Lease. Refused while the cluster has an unfinished run, which must be carried on, undone or stopped first. */
export async function startRun(context: RunContext, plan: Plan): Promise<RunResult> {
  if (!(await isOfCluster(context.kube, plan))) return { refused: { kind: 'other-cluster' } };
  const [namespace] = context.journalNamespaces;
  await prepareJournalNamespace(context.kube, namespace);
  return underLease(context, namespace, async (lease) => {
    const unfinished = unfinishedRun(await listRuns(context.kube, context.journalNamespaces));
    if (unfinished)
      return { refused: { kind: 'unfinished', run: unfinished.run, samePlan: carriesOut(unfinished, plan.hash) } };
    const missing = await missingRun(context, plan);
    if (missing !== null) return { refused: { kind: 'unfinished', run: missing, samePlan: false } };
    return begin({ ...context, namespace }, lease, plan);
  });
}

/**
 * An unfinished run of this installation whose journal was deleted. A new run would take its effects for the state before, so it is carried on,
 * undone or stopped from the copy first.
 */
async function missingRun(
  { kube, memory, journalNamespaces }: RunContext,
  { clusterUid }: Plan,
): Promise<string | null> {
  for (const { journal } of clusterUid === null ? [] : await memory.ofCluster(clusterUid)) {
    if (hasEnded(journal.state)) continue;
    const opened = await openJournal(
      kube,
      await namespaceOfRun(kube, journalNamespaces, journal.run),
      journal.run,
      memory,
    );
    if (opened && !opened.isInCluster()) return journal.run;
  }
  return null;
}

/** Creates the journal of a new run and carries the run out, under a Lease that this process holds. Rejects as `createJournal` and `execute`. */
export async function begin(context: PlacedRun, lease: HeldLease, plan: Plan): Promise<RunResult> {
  const startedAt = new Date(context.clock.now()).toISOString();
  const upgrade = journalledWay(wayOfUpgrade(plan));
  const journal: Journal = {
    apiVersion: 'signalbox.dev/v1',
    kind: 'Journal',
    run: newRunId(startedAt),
    goal: plan.goal,
    ...(upgrade === null ? {} : { upgrade }),
    cluster: plan.cluster,
    planHash: plan.hash,
    startedAt,
    startedBy: holderIdentity(context.identity),
    state: { kind: 'running', direction: 'forward' },
    accepted: [],
    entries: acceptedAtStart(plan, startedAt, holderIdentity(context.identity)),
  };
  const opened = await createJournal(context.kube, context.namespace, { journal, plan }, context.memory);
  return { run: journal.run, outcome: await execute(context, lease, opened) };
}

/** Carries a run on from its journal. Event ids grow across processes: leaseTransitions × 10⁷ + counter. Rejects as `executeRun`. */
export function execute(context: PlacedRun, lease: HeldLease, journal: OpenJournal): Promise<RunOutcome> {
  const { kube, clock, namespace, identity, control, manifests, signal, onEvent, random } = context;
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
    manifests,
    emit,
    random,
    signal,
  });
}

/** `20261121-0637-3f9c`: sorts by time, fits a label and an object's name. */
function newRunId(startedAt: string): string {
  return `${startedAt.slice(0, 10).replaceAll('-', '')}-${startedAt.slice(11, 16).replace(':', '')}-${randomBytes(2).toString('hex')}`;
}
