import type { Kube } from '#lib/kube/index.ts';
import type { JournalNamespaces } from '#lib/spec/index.ts';
import { journalRef } from '../model/read-journal.ts';

/**
 * The namespace in which a run has its journal. That of new runs comes first: a journal of the same name that somebody puts where earlier
 * versions kept theirs changes nothing. Where there is no journal at all, that of new runs.
 */
export async function namespaceOfRun(kube: Kube, journalNamespaces: JournalNamespaces, run: string): Promise<string> {
  if (journalNamespaces.length === 1) return journalNamespaces[0];
  for (const namespace of journalNamespaces) if (await kube.get(journalRef(run, namespace))) return namespace;
  return journalNamespaces[0];
}
