import type { RunMemory } from './run-memory.ts';

/** Forgets every run of a cluster that no longer exists, such as a sandbox that is reset. `uid`: of its kube-system. */
export async function forgetCluster(memory: RunMemory, uid: string): Promise<void> {
  for (const { journal } of await memory.ofCluster(uid)) await memory.forget(journal.run);
}
