import { type Clock, isKubeError, type Kube } from '#lib/kube/index.ts';
import { names } from '#lib/spec/index.ts';
import { type Holder, livingHolder } from './holder.ts';
import { probeNames } from './objects.ts';
import { deleteNamespace, namespaceRef } from './own-namespace.ts';

/** Longer than a test of nodes can take: its pods are awaited for 3 minutes, and test for 5; of 5,000 nodes for 8 and 10. */
const livesForMs = 20 * 60_000;
/** What was left a moment ago may be looked at. */
const sweptAfterMs = 60 * 60_000;

type Asked = { kube: Kube; clock: Clock; signal: AbortSignal; isDead?: Holder['isDead'] };

/**
 * What a test of nodes has left that was killed; null: nothing, or one that still runs, or that somebody keeps or made by hand, or it may not be looked
 * at. A holder that has not let go says that it was to be removed, and its silence that it was killed: that is waited for where it is of another machine,
 * since clocks of two machines differ. `sinceMs`: its age, by the clock of whoever asks.
 */
export async function leftProbe(asked: Asked): Promise<{ readonly uid: string; readonly sinceMs: number } | null> {
  try {
    return await found(asked);
  } catch (error) {
    if (isKubeError(error) && !isKubeError(error, 'aborted')) return null;
    throw error;
  }
}

async function found(asked: Asked): ReturnType<typeof leftProbe> {
  const namespace = await asked.kube.get(namespaceRef(probeNames.namespace), { signal: asked.signal });
  const { uid, labels, annotations, creationTimestamp, deletionTimestamp } = namespace?.metadata ?? {};
  const sinceMs = asked.clock.now() - Date.parse(String(creationTimestamp));
  const isOurs =
    labels?.[names.managedByLabel] === names.fieldManager &&
    annotations?.[names.holderAnnotation] !== undefined &&
    annotations[names.keptAnnotation] === undefined;
  if (!namespace || uid === undefined || !isOurs || deletionTimestamp || !(sinceMs > livesForMs)) return null;
  return (await livingHolder(asked, namespace)) === null ? { uid, sinceMs } : null;
}

/** Takes it away, after an hour. What cannot be had stays for the next test of nodes, which removes it. */
export async function sweepLeftProbe(asked: Asked): Promise<void> {
  const left = await leftProbe(asked);
  if (left === null || left.sinceMs < sweptAfterMs) return;
  await deleteNamespace(asked.kube, probeNames.namespace, left.uid, asked.signal).catch((error: unknown) => {
    if (!isKubeError(error)) throw error;
  });
}

/** For whoever checks the cluster. `kubectl`: with the flags that name this cluster. */
export function leftInWords({ sinceMs }: { readonly sinceMs: number }, kubectl: string): string {
  const { namespace } = probeNames;
  return `A preflight that began ${Math.floor(sinceMs / 60_000)} min ago has left namespace ${namespace}, with pods on the nodes. \`${kubectl} delete namespace ${namespace}\` removes it, and so does the next preflight.`;
}
