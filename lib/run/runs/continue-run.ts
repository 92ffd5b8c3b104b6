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
 * Carries a run on, undoes it, or ends it where it stands (`decideContinuation`). A foreign run that was confirmed to be carried on ends where it
 * stands, and a run of this installation begins in its place: the answer names that one.
 */
export async function continueRun(context: RunContext, run: string, continuation: Continuation): Promise<RunResult> {
  const { kube, clock, memory, journalNamespaces, identity } = context;
  const namespace = await namespaceOfRun(kube, journalNamespaces, run);
  const found = await openJournal(kube, namespace, run, memory);
  if (!found) return { refused: { kind: 'no-such-run' } };
  // Nobody waits for a Lease to hear that the run is to be looked through first.
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
 * Where a run that goes on looks for others: in its own namespace and in that of new runs. A journal that somebody puts where earlier versions kept
 * theirs keeps no run from going on; a process of such a version that is at work there holds its Lease (`underLease`).
 */
function namespacesBeside([first]: JournalNamespaces, own: string): JournalNamespaces {
  return own === first ? [first] : [first, own];
}

/** The new run lies where new runs lie, also where the one that it replaces does not; both Leases are held then. */
async function beginInPlaceOf(context: PlacedRun, lease: HeldLease, plan: Plan): Promise<RunResult> {
  const [namespace] = context.journalNamespaces;
  if (namespace === context.namespace) return begin(context, lease, plan);
  return underLease(context, namespace, (own) => begin({ ...context, namespace }, own, plan));
}
