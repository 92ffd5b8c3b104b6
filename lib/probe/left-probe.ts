import { type Clock, isKubeError, type Kube } from '#lib/kube/index.ts';
import { names } from '#lib/spec/index.ts';
import { probeNames } from './objects.ts';
import { deleteNamespace, namespaceRef } from './own-namespace.ts';

/** Longer than a test of nodes can take: its pods are awaited for 3 minutes, and test for 5. */
const livesForMs = 10 * 60_000;
/** Nobody's clock is that wrong: what somebody else has just begun is not taken away from him. */
const sweptAfterMs = 60 * 60_000;

/**
 * What a test of nodes has left that was killed; null: nothing, or one that may still run, or that somebody keeps, or it may not be looked at.
 * `sinceMs`: its age, by the clock of whoever asks.
 */
export async function leftProbe(
  kube: Kube,
  clock: Pick<Clock, 'now'>,
  signal: AbortSignal,
): Promise<{ readonly uid: string; readonly sinceMs: number } | null> {
  const found = await kube.get(namespaceRef(probeNames.namespace), { signal }).catch((error: unknown) => {
    if (isKubeError(error) && !isKubeError(error, 'aborted')) return null;
    throw error;
  });
  const { uid, labels, annotations, creationTimestamp, deletionTimestamp } = found?.metadata ?? {};
  const sinceMs = clock.now() - Date.parse(String(creationTimestamp));
  const isOurs =
    labels?.[names.managedByLabel] === names.fieldManager && annotations?.[names.keptAnnotation] === undefined;
  if (uid === undefined || !isOurs || deletionTimestamp || !(sinceMs > livesForMs)) return null;
  return { uid, sinceMs };
}

/** Takes it away, after an hour. What cannot be had stays for the next test of nodes, which removes it. */
export async function sweepLeftProbe(kube: Kube, clock: Pick<Clock, 'now'>, signal: AbortSignal): Promise<void> {
  const left = await leftProbe(kube, clock, signal);
  if (left === null || left.sinceMs < sweptAfterMs) return;
  await deleteNamespace(kube, probeNames.namespace, left.uid, signal).catch((error: unknown) => {
    if (!isKubeError(error)) throw error;
  });
}

/** For whoever checks the cluster. */
export function leftInWords({ sinceMs }: { readonly sinceMs: number }): string {
  const { namespace } = probeNames;
  return `A preflight that began ${Math.floor(sinceMs / 60_000)} min ago has left namespace ${namespace}, with pods on the nodes. \`kubectl delete namespace ${namespace}\` removes it, and so does the next preflight.`;
}
