import { names } from './names.ts';

/** Namespaces in which journals of runs may lie: that of new ones first. */
export type JournalNamespaces = readonly [string, ...string[]];

/** Where they are looked for unless `--journal-namespace` says otherwise. Versions before this one kept them in kube-system. */
export const journalNamespaces: JournalNamespaces = [names.journalNamespace, names.systemNamespace];
