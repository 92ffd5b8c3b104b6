import { type JournalNamespaces, journalNamespaces } from '#lib/spec/index.ts';
import type { Invocation } from '../command.ts';

/** Namespaces of journals: the named one, or else the usual ones. */
export function journalNamespacesOf({ flags }: Invocation): JournalNamespaces {
  const named = flags.text('journal-namespace');
  return named === undefined ? journalNamespaces : [named];
}
