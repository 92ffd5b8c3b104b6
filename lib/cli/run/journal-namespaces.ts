import { type JournalNamespaces, journalNamespaces } from '#lib/spec/index.ts';
import type { Invocation } from '../command.ts';

/** Where journals may lie: in the one namespace that was named, else in the usual ones. */
export function journalNamespacesOf({ flags }: Invocation): JournalNamespaces {
  const named = flags.text('journal-namespace');
  return named === undefined ? journalNamespaces : [named];
}
