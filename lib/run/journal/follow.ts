import { type Clock, isKubeError, type Kube, type KubeObject } from '#lib/kube/index.ts';
import { type JournalNamespaces, names, resources } from '#lib/spec/index.ts';
import { leaseRef, readLease } from '../engine/lease.ts';
import type { EventBody, RunEvent } from '../model/event.ts';
import { hasEnded } from '../model/has-ended.ts';
import type { Journal } from '../model/journal.ts';
import { eventsSince } from '../model/journal-events.ts';
import { operationLines } from '../model/operation-lines.ts';
import { journalOf, journalRef } from '../model/read-journal.ts';
import { readJournal } from './journal-store.ts';
import { namespaceOfRun } from './namespace-of-run.ts';

/**
 * A run as a follower sees it: from the journal in the cluster, read-only, role `follower` (architecture.md › Streams). Ends when the run has ended
 * or is paused; rejects with `not-found` if there is no such run.
 */
export async function* followRun({
  kube,
  clock,
  journalNamespaces,
  run,
  signal,
}: {
  kube: Kube;
  clock: Clock;
  journalNamespaces: JournalNamespaces;
  run: string;
  signal: AbortSignal;
}): AsyncGenerator<RunEvent> {
  const namespace = await namespaceOfRun(kube, journalNamespaces, run);
  const opened = await readJournal(kube, namespace, run);
  if (!opened) return;
  const lease = await kube.get(leaseRef(namespace), { signal });
  const base = (lease ? readLease(lease).transitions : 0) * 1e7;
  let counter = 0;
  const event = (body: EventBody): RunEvent =>
    ({ ...body, id: base + counter++, at: new Date(clock.now()).toISOString(), run }) as RunEvent;
  const snapshot = (journal: Journal): RunEvent =>
    event({
      event: 'snapshot',
      data: {
        role: 'follower',
        cluster: journal.cluster,
        goal: opened.plan.goal,
        state: journal.state,
        operations: operationLines(opened.plan, journal),
      },
    });

  let known = opened.journal;
  yield snapshot(known);
  if (standsStill(known)) return;
  /** Failed connections in a row: the first one may be a server that closes a stream. */
  let failed = 0;
  try {
    for await (const change of kube.watch(resources.configMaps, {
      namespace,
      fieldSelector: `metadata.name=${journalRef(run, namespace).name}`,
      signal,
    })) {
      if (change.type === 'interrupted') {
        failed += 1;
        const message = `${change.because.message} The run is shown again when the cluster answers.`;
        if (failed === 2)
          yield event({ event: 'problem', data: { code: 'cluster.unreachable', message, subjects: [], choices: [] } });
        continue;
      }
      if (failed >= 2) yield event({ event: 'log', data: { message: 'The cluster answers again.' } });
      failed = 0;
      const object = changed(change);
      const journal = object && object.metadata.labels?.[names.runLabel] === run ? journalOf(object) : null;
      if (!journal) continue;
      for (const { event: entryEvent, turns } of eventsSince(opened.plan, journal, known)) {
        if (entryEvent?.body.event === 'operation') yield event(entryEvent.body);
        else if (turns) yield snapshot(journal);
      }
      if (journal.state.kind === 'paused' && known.state.kind !== 'paused') {
        const { code, because, subjects, choices } = journal.state;
        yield event({ event: 'problem', data: { code, message: because, subjects, choices } });
      }
      if (journal.services && journal.services.to !== known.services?.to)
        yield event({ event: 'services', data: journal.services });
      known = journal;
      if (standsStill(journal)) {
        yield snapshot(journal);
        return;
      }
    }
  } catch (error) {
    if (isKubeError(error, 'aborted') || signal.aborted) return;
    throw error;
  }
}

function standsStill(journal: Journal): boolean {
  return hasEnded(journal.state) || journal.state.kind === 'paused';
}

function changed(change: { type: string; object?: KubeObject; objects?: KubeObject[] }): KubeObject | null {
  if (change.type === 'synced') return change.objects?.[0] ?? null;
  return change.type === 'added' || change.type === 'modified' ? (change.object ?? null) : null;
}
