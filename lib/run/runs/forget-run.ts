import { isKubeError, type Kube, type KubeObject } from '#lib/kube/index.ts';
import { names, resources } from '#lib/spec/index.ts';
import { foreignIn } from '../conditions/only-ours-left.ts';
import { leaseRef } from '../engine/lease.ts';
import { isOurNamespace } from '../journal/journal-namespace.ts';
import { listRuns } from '../journal/list-runs.ts';
import { namespaceOfRun } from '../journal/namespace-of-run.ts';
import { hasEnded } from '../model/has-ended.ts';
import type { RunState } from '../model/journal.ts';
import { journalRef } from '../model/read-journal.ts';
import { runSummaryOf } from '../model/run-summary.ts';
import { sweepServices } from '../services/run-services.ts';
import type { Refusal, RunContext } from './run-context.ts';
import { underLease } from './under-lease.ts';

/** `kept`: why the namespace of journals stays although this was its last run; null if it is gone or is not Signalbox's. */
export type Forgotten = { run: string; namespace: string; wasLast: boolean; kept: string | null };

export type ForgetRefusal = Refusal | { kind: 'not-ended'; state: RunState['kind'] | 'unreadable' };

/**
 * Deletes the journal of an ended run, here and in the state folder; it cannot be undone afterwards. With the last one the Lease is deleted, and the
 * namespace of journals if it contains only Signalbox's objects. `confirm` is called once it is known that the run can be forgotten; if it rejects, nothing
 * is deleted.
 */
export async function forgetRun(
  context: Pick<RunContext, 'kube' | 'clock' | 'journalNamespaces' | 'identity' | 'memory' | 'signal' | 'stateOf'>,
  run: string,
  confirm: () => Promise<void> = async () => {},
): Promise<Forgotten | { refused: ForgetRefusal }> {
  const { kube, journalNamespaces, memory, signal } = context;
  const namespace = await namespaceOfRun(kube, journalNamespaces, run);
  const ref = journalRef(run, namespace);
  const first = endedRun(await kube.get(ref, { signal }));
  if ('refused' in first) return first;
  await confirm();
  return underLease(context, namespace, async (): Promise<Forgotten | { refused: ForgetRefusal }> => {
    // Read again: until the Lease was held, another process could carry the run on or forget it.
    const ended = endedRun(await kube.get(ref, { signal }));
    if ('refused' in ended) return ended;
    await sweepServices(kube);
    await kube.delete(ref, { uid: ended.uid });
    await memory.forget(run);
    const left = await listRuns(kube, [namespace]);
    if (left.length > 0) return { run, namespace, wasLast: false, kept: null };
    // The Lease is kept until here, so that no run begins in a namespace that is being deleted.
    await deleteIfThere(kube, namespace);
    return { run, namespace, wasLast: true, kept: await withoutNamespace(kube, namespace, signal) };
  });
}

/** The UID of a journal whose run can be forgotten, or why it cannot be. */
function endedRun(object: KubeObject | null): { uid: string } | { refused: ForgetRefusal } {
  if (!object) return { refused: { kind: 'no-such-run' } };
  const { state } = runSummaryOf(object);
  if (!hasEnded(state)) return { refused: { kind: 'not-ended', state: state.kind } };
  return { uid: object.metadata.uid ?? '' };
}

async function deleteIfThere(kube: Kube, namespace: string): Promise<void> {
  try {
    await kube.delete(leaseRef(namespace));
  } catch (error) {
    if (!isKubeError(error, 'not-found')) throw error;
  }
}

/** Null if it is gone or is not Signalbox's; else why it stays. */
async function withoutNamespace(kube: Kube, name: string, signal: AbortSignal): Promise<string | null> {
  if (name !== names.journalNamespace) return null;
  const ref = { resource: resources.namespaces, name };
  try {
    const found = await kube.get(ref, { signal });
    if (!found || !isOurNamespace(found)) return null;
    const left = await foreignIn(kube, ref, signal);
    if ('because' in left) return left.because;
    const [first] = left.subjects;
    if (first) return `${first.kind} ${first.name} is in it, ${first.detail}.`;
    await kube.delete(ref, { uid: found.metadata.uid ?? '' });
    return null;
  } catch (error) {
    if (isKubeError(error, 'forbidden')) return error.message;
    throw error;
  }
}
