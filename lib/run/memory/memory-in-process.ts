import { createHash } from 'node:crypto';
import type { Plan } from '#lib/plan/index.ts';
import type { RunCopy } from './provenance-of.ts';
import type { RunMemory } from './run-memory.ts';

/** The memory of an installation without a state folder, for tests. The same name gives the same key. */
export function memoryInProcess(install: string): RunMemory {
  // The journal is kept as text, so that no object is shared. A plan never changes and would be a hundred times as much to copy.
  const copies = new Map<string, { plan: Plan; journal: string }>();
  const read = ({ plan, journal }: { plan: Plan; journal: string }): RunCopy => ({
    plan,
    journal: JSON.parse(journal),
  });
  return {
    sealer: { install, key: createHash('sha256').update(install).digest() },
    recall: async (run) => {
      const found = copies.get(run);
      return found ? read(found) : null;
    },
    keep: async ({ plan, journal }) => void copies.set(journal.run, { plan, journal: JSON.stringify(journal) }),
    ofCluster: async (uid) => [...copies.values()].filter(({ plan }) => plan.clusterUid === uid).map(read),
    forget: async (run) => void copies.delete(run),
  };
}
