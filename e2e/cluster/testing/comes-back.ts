import { setTimeout as sleep } from 'node:timers/promises';
import { clusterDifferences, expectSameCluster } from '#e2e/journey/index.ts';
import type { KubeObject } from '#lib/kube/index.ts';

/**
 * Resolves when all objects are as before; throws with all differences if they are not within a minute. Compares repeatedly, because a restarted operator first
 * reports no problem and writes its real status only later.
 */
export async function comesBackTo(before: readonly KubeObject[], look: () => Promise<KubeObject[]>): Promise<void> {
  const deadline = Date.now() + 60_000;
  for (;;) {
    const after = await look();
    if (clusterDifferences(before, after).length === 0) return;
    if (Date.now() > deadline) return expectSameCluster(before, after);
    await sleep(1_000);
  }
}
