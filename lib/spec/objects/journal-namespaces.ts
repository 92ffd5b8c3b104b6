import { names } from './names.ts';

/** Namespaces of runs' journals; the first is for new runs. */
export type JournalNamespaces = readonly [string, ...string[]];

/** Default without `--journal-namespace`. Earlier versions used kube-system. */
export const journalNamespaces: JournalNamespaces = [names.journalNamespace, names.systemNamespace];
