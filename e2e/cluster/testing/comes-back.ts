import { setTimeout as sleep } from 'node:timers/promises';
import { clusterDifferences, expectSameCluster } from '#e2e/journey/index.ts';
import type { KubeObject } from '#lib/kube/index.ts';

/**
 * Resolves when the cluster is as it was, object by object; throws with every difference when it is not within a minute. Looked at again and
 * again: an operator that was restarted says first that it knows of nothing wrong, and what it knows only after a moment that no rollout shows.
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
