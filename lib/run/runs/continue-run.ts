import type { Plan } from '#lib/plan/index.ts';
import type { JournalNamespaces } from '#lib/spec/index.ts';
import type { HeldLease } from '../engine/lease.ts';
import { prepareJournalNamespace } from '../journal/journal-namespace.ts';
import { isOfCluster, type OpenJournal, openJournal } from '../journal/journal-store.ts';
import { listRuns } from '../journal/list-runs.ts';
import { namespaceOfRun } from '../journal/namespace-of-run.ts';
import { sweepServices } from '../services/run-services.ts';
import { holderIdentity } from '../state-folder/identity.ts';
import { type Continuation, decideContinuation, foreignRefusal, type SeenRun } from './decide-continuation.ts';
import type { PlacedRun, RunContext, RunResult } from './run-context.ts';
import { begin, execute } from './start-run.ts';
import { underLease } from './under-lease.ts';

/**
 * Carries a run on, undoes it, or ends it where it is (`decideContinuation`). A foreign run that the user confirmed ends where it is, and a run of
 * this installation begins in its place; the answer names that one.
 */
export async function continueRun(context: RunContext, run: string, continuation: Continuation): Promise<RunResult> {
  const { kube, clock, memory, journalNamespaces, identity } = context;
  const namespace = await namespaceOfRun(kube, journalNamespaces, run);
  const found = await openJournal(kube, namespace, run, memory);
  if (!found) return { refused: { kind: 'no-such-run' } };
  // Refuses before it waits for a Lease: the user must examine the run first.
  const early = foreignRefusal(seenIn(found), continuation);
  if (early) return { refused: early };
  if (!found.isInCluster()) await prepareJournalNamespace(kube, namespace);
  return underLease(context, namespace, async (lease) => {
    const opened = await openJournal(kube, namespace, run, memory);
    if (!opened) return { refused: { kind: 'no-such-run' } };
    const decided = decideContinuation(seenIn(opened), continuation, {
      isOfCluster: await isOfCluster(kube, opened.plan),
      besides: await listRuns(kube, namespacesBeside(journalNamespaces, namespace)),
      takenFrom: lease.takenFrom,
      at: new Date(clock.now()).toISOString(),
      by: holderIdentity(identity),
    });
    if ('refused' in decided) return decided;
    const { adopt, entries, state, accepted, begin: replacing } = decided;
    if (opened.plan.choices.watchServices === true) await sweepServices(kube);
    if (!opened.isInCluster()) await opened.restore();
    if (adopt) opened.adopt(adopt);
    if (replacing) await prepareJournalNamespace(kube, journalNamespaces[0]);
    await opened.append(entries, { state, accepted });
    if (replacing) return beginInPlaceOf({ ...context, namespace }, lease, replacing);
    if (state.kind !== 'running') return { run, outcome: state };
    return { run, outcome: await execute({ ...context, namespace }, lease, opened) };
  });
}

function seenIn(opened: OpenJournal): SeenRun {
  return { plan: opened.plan, journal: opened.current(), provenance: opened.provenance };
}

/**
 * The namespaces in which a run that continues looks for others: its own and the one of new runs. A journal that somebody puts into the namespace of
 * earlier versions cannot block it; a process of such a version that works there holds its Lease (`underLease`).
 */
function namespacesBeside([first]: JournalNamespaces, own: string): JournalNamespaces {
  return own === first ? [first] : [first, own];
}

/** The new run goes into the namespace of new runs, even if the one that it replaces is elsewhere; both Leases are held then. */
async function beginInPlaceOf(context: PlacedRun, lease: HeldLease, plan: Plan): Promise<RunResult> {
  const [namespace] = context.journalNamespaces;
  if (namespace === context.namespace) return begin(context, lease, plan);
  return underLease(context, namespace, (own) => begin({ ...context, namespace }, own, plan));
}
