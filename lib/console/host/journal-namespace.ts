import { names } from '#lib/spec/index.ts';

/** Where the console keeps journals and the Lease (architecture.md › Run). */
export const journalNamespace = names.systemNamespace;
