import { createHash } from 'node:crypto';
import type { KeptRun } from './provenance-of.ts';
import type { RunMemory } from './run-memory.ts';

/** An installation without a state folder, for tests: forgotten with the process. The same name gives the same key. */
export function memoryInProcess(install: string): RunMemory {
  const kept = new Map<string, KeptRun>();
  return {
    sealer: { install, key: createHash('sha256').update(install).digest() },
    recall: async (run) => kept.get(run) ?? null,
    keep: async ({ plan, journal }) => void kept.set(journal.run, structuredClone({ plan, journal })),
    ofCluster: async (uid) => [...kept.values()].filter(({ plan }) => plan.clusterUid === uid),
    forget: async (run) => void kept.delete(run),
  };
}
