import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { Clock, Kube, KubeObject } from '#lib/kube/index.ts';
import { type JournalNamespaces, names } from '#lib/spec/index.ts';
import { namespaceOfRun } from '../journal/namespace-of-run.ts';
import { journalRef } from '../model/read-journal.ts';

/**
 * A request of another process to the holder of a run: the annotation `signalbox.dev/request` on the run's ConfigMap, answered in the journal
 * (operations.md › Two consoles). Anybody who may patch that ConfigMap may make one; nothing else in it is trusted.
 */
const requestSchema = z.object({
  id: z.string().max(64),
  action: z.enum(['pause', 'resume', 'stop', 'undo']),
  by: z.string().max(200),
  at: z.string().max(40),
});
export type Request = z.infer<typeof requestSchema>;

/**
 * Writes a request for the holder of a run. `by`: identity of this process. A later request replaces one that has no answer yet. Rejects with the
 * KubeError of the patch.
 */
export async function sendRequest(
  kube: Kube,
  journalNamespaces: JournalNamespaces,
  run: string,
  action: Request['action'],
  by: string,
  clock: Clock,
): Promise<Request> {
  const request: Request = { id: randomUUID(), action, by, at: new Date(clock.now()).toISOString() };
  await kube.patch(journalRef(run, await namespaceOfRun(kube, journalNamespaces, run)), {
    type: 'merge',
    body: { metadata: { annotations: { [names.requestAnnotation]: JSON.stringify(request) } } },
  });
  return request;
}

/** The request on a run's ConfigMap; null if there is none, or it does not parse. */
export function requestOf(object: KubeObject | null): Request | null {
  const text = object?.metadata.annotations?.[names.requestAnnotation];
  if (text === undefined) return null;
  try {
    return requestSchema.parse(JSON.parse(text));
  } catch {
    return null;
  }
}
