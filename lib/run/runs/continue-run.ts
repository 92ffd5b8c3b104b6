import type { Plan } from '#lib/plan/index.ts';
import type { JournalNamespaces } from '#lib/spec/index.ts';
import type { HeldLease } from '../engine/lease.ts';
import type { ForeignContinuation } from '../foreign/foreign-review.ts';
import { prepareJournalNamespace } from '../journal/journal-namespace.ts';
import { isOfCluster, type OpenJournal, openJournal } from '../journal/journal-store.ts';
import { listRuns } from '../journal/list-runs.ts';
import { namespaceOfRun } from '../journal/namespace-of-run.ts';
import { digestOfRun } from '../memory/digest-of-run.ts';
import { hasEnded } from '../model/has-ended.ts';
import { type Accepted, directionOf, type Entry, type RunState, subjectKey } from '../model/journal.ts';
import { remainsOf } from '../model/operation-lines.ts';
import { laterRun } from '../model/run-summary.ts';
import { holderIdentity } from '../state-folder/identity.ts';
import type { PlacedRun, Refusal, RunContext, RunResult } from './run-context.ts';
import { begin, execute } from './start-run.ts';
import { underLease } from './under-lease.ts';

/** `confirmed`: the foreign run that somebody looked through and confirmed by the cluster's name (`reviewForeignRun`). */
export type Continuation =
  | { how: 'resume'; acknowledge?: Record<string, string>; confirmed?: ConfirmedRun | undefined }
  | { how: 'undo'; confirmed?: ConfirmedRun | undefined }
  | { how: 'stop' };

/** `digest`: `digestOfRun` of what was looked through; the rest is what is done now. */
export type ConfirmedRun = { digest: string } & ForeignContinuation;

/**
 * Carries a run on, takes it back, or ends it where it stands. A foreign run that was confirmed to be carried on ends where it stands, and a run of this
 * installation begins in its place: the answer names that one.
 */
export async function continueRun(context: RunContext, run: string, continuation: Continuation): Promise<RunResult> {
  const namespace = await namespaceOfRun(context.kube, context.journalNamespaces, run);
  const seen = await openJournal(context.kube, namespace, run, context.memory);
  if (!seen) return { refused: { kind: 'no-such-run' } };
  // Nobody waits for a Lease to hear that the run is to be looked through first.
  const early = foreignRefusal(seen, run, continuation);
  if (early) return { refused: early };
  if (!seen.isInCluster()) await prepareJournalNamespace(context.kube, namespace);
  return underLease(context, namespace, async (lease) => {
    const opened = await openJournal(context.kube, namespace, run, context.memory);
    if (!opened) return { refused: { kind: 'no-such-run' } };
    if (!(await isOfCluster(context.kube, opened.plan))) return { refused: { kind: 'other-cluster' } };
    const { state } = opened.current();
    const undoable = state.kind === 'done' || state.kind === 'stopped' || state.kind === 'failed';
    if (hasEnded(state) && !(continuation.how === 'undo' && undoable))
      return { refused: { kind: 'ended', state: state.kind } };

    const besides = await listRuns(context.kube, namespacesBeside(context.journalNamespaces, namespace));
    const other = besides.find((one) => one.run !== run && !hasEnded(one.state));
    if (other) return { refused: { kind: 'unfinished', run: other.run, samePlan: false } };

    const refusal = foreignRefusal(opened, run, continuation);
    if (refusal) return { refused: refusal };
    if (!opened.isInCluster()) await opened.restore();
    const confirmed = opened.provenance.kind === 'foreign' && 'confirmed' in continuation && continuation.confirmed;
    if (confirmed && confirmed.how === 'undo') opened.adopt(confirmed);
    const how = confirmed ? confirmed.how : continuation.how;

    const at = new Date(context.clock.now()).toISOString();
    const by = holderIdentity(context.identity);
    const entries: Entry[] = lease.takenFrom ? [{ what: 'taken-over', at, by, from: lease.takenFrom }] : [];
    const isReplaced = confirmed && confirmed.how === 'resume';
    if (isReplaced) await prepareJournalNamespace(context.kube, context.journalNamespaces[0]);
    if (continuation.how === 'stop' || isReplaced) {
      const remains = remainsOf(opened.plan, opened.current());
      await opened.append([...entries, { what: 'ended', at, state: 'stopped' }], {
        state: { kind: 'stopped', remains },
      });
      if (isReplaced) return beginInPlaceOf({ ...context, namespace }, lease, confirmed.plan);
      return { run, outcome: { kind: 'stopped', remains } };
    }
    const later = how === 'undo' ? laterRun(besides, opened.current()) : null;
    if (later) return { refused: { kind: 'later-run', run: later } };
    const acknowledge = continuation.how === 'resume' ? (continuation.acknowledge ?? {}) : {};
    const accepted = accept(state, acknowledge);
    if (accepted === 'nothing-to-accept') return { refused: { kind: 'nothing-to-accept' } };
    for (const [id, reason] of Object.entries(acknowledge)) entries.push({ what: 'acknowledged', at, id, reason });
    const undoing = directionOf(opened.current()) === 'undo';
    if (how === 'undo' && !undoing) entries.push({ what: 'undo-asked', at, by });
    else entries.push({ what: 'resumed', at, by });
    await opened.append(entries, {
      state: { kind: 'running', direction: how === 'undo' || undoing ? 'undo' : 'forward' },
      accepted: [...opened.current().accepted, ...accepted],
    });
    return { run, outcome: await execute({ ...context, namespace }, lease, opened) };
  });
}

/**
 * Where a run that goes on looks for others: in its own namespace and in that of new runs. A journal that somebody puts where earlier versions kept
 * theirs keeps no run from going on; a process of such a version that is at work there holds its Lease (`underLease`).
 */
function namespacesBeside([first]: JournalNamespaces, own: string): JournalNamespaces {
  return own === first ? [first] : [first, own];
}

/** To stop a run writes nothing but that it was stopped, and leaves it as foreign as it was. */
function foreignRefusal(opened: OpenJournal, run: string, continuation: Continuation): Refusal | null {
  if (continuation.how === 'stop' || opened.provenance.kind === 'own') return null;
  const { confirmed } = continuation;
  if (!confirmed) return { kind: 'foreign', run, because: opened.provenance.because };
  return confirmed.digest === digestOfRun(opened) ? null : { kind: 'changed-since-shown', run };
}

function accept(state: RunState, acknowledge: Record<string, string>): Accepted[] | 'nothing-to-accept' {
  const given = Object.entries(acknowledge);
  if (given.length === 0) return [];
  if (state.kind !== 'paused' || state.code !== 'unknown') return 'nothing-to-accept';
  if (given.some(([id]) => id !== state.id)) return 'nothing-to-accept';
  const { direction, seq, subjects } = state;
  return given.map(([, reason]) => ({ direction, seq, reason, subjects: subjects.map(subjectKey) }));
}

/** The new run lies where new runs lie, also where the one that it replaces does not; both Leases are held then. */
async function beginInPlaceOf(context: PlacedRun, lease: HeldLease, plan: Plan): Promise<RunResult> {
  const [namespace] = context.journalNamespaces;
  if (namespace === context.namespace) return begin(context, lease, plan);
  return underLease(context, namespace, (own) => begin({ ...context, namespace }, own, plan));
}
