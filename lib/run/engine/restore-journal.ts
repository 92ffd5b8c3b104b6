import { type Clock, isKubeError, type Kube, type KubeError } from '#lib/kube/index.ts';
import { prepareJournalNamespace } from '../journal/journal-namespace.ts';
import { JournalGone, type OpenJournal } from '../journal/journal-store.ts';
import type { ApiRetry } from './api-retry.ts';
import type { HeldLease } from './lease.ts';
import type { RunEvents } from './run-events.ts';

/** How long to wait for a namespace that is being deleted: its deletion waits for everything in it. */
const namespaceDeletedWithinMs = 120_000;
const lookEveryMs = 2_000;

/**
 * Restores the journal of a run that is under way, and its namespace, after somebody deleted them. Resolves when the cluster has the journal again;
 * the run changes nothing before. Rejects with `JournalGone`, whose message says what to do, if it cannot be restored, and as `OpenJournal.restore`
 * does if another journal lies in its place.
 */
export async function restoreJournal(o: {
  kube: Kube;
  clock: Clock;
  journal: OpenJournal;
  namespace: string;
  lease: HeldLease;
  retry: ApiRetry;
  events: RunEvents;
  signal: AbortSignal;
}): Promise<void> {
  const { kube, clock, journal, namespace, lease, retry, events, signal } = o;
  const { run } = journal.current();
  events.problem(
    'journal.gone',
    `The journal of this run was deleted from namespace ${namespace}. The run waits while this process writes it again.`,
    [],
    [],
  );
  const began = clock.monotonic();
  for (;;) {
    try {
      await retry.until(async () => {
        await prepareJournalNamespace(kube, namespace);
        await journal.restore();
      });
      return events.log('The journal is restored. The run continues.');
    } catch (error) {
      if (!isKubeError(error, 'forbidden', 'conflict', 'not-found')) throw error;
      if (!waitingMayHelp(error) || clock.monotonic() - began > namespaceDeletedWithinMs) throw notRestored(run, error);
      await clock.sleep(lookEveryMs, AbortSignal.any([signal, lease.lost]));
    }
  }
}

/**
 * True if waiting may help: a namespace that is being deleted is created again once it is gone, and one that vanished between two calls is found
 * missing by the next look.
 */
function waitingMayHelp(error: KubeError): boolean {
  return error.detail.isNamespaceGoing === true || error.code === 'not-found';
}

function notRestored(run: string, { message }: KubeError): JournalGone {
  return new JournalGone(
    `The journal of this run was deleted from the cluster and could not be restored: ${message} This installation's state folder has a complete copy: \`signalbox resume ${run}\` restores it and continues the run.`,
  );
}
