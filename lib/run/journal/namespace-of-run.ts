import type { Kube } from '#lib/kube/index.ts';
import type { JournalNamespaces } from '#lib/spec/index.ts';
import { journalRef } from '../model/read-journal.ts';

/**
 * The namespace that has a run's journal. The namespace of new runs is tried first, so that a journal of the same name in the namespace of earlier
 * versions has no effect. If there is no journal at all, the namespace of new runs.
 */
export async function namespaceOfRun(kube: Kube, journalNamespaces: JournalNamespaces, run: string): Promise<string> {
  if (journalNamespaces.length === 1) return journalNamespaces[0];
  for (const namespace of journalNamespaces) if (await kube.get(journalRef(run, namespace))) return namespace;
  return journalNamespaces[0];
}
