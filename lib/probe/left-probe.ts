import { type Clock, isKubeError, type Kube } from '#lib/kube/index.ts';
import { names } from '#lib/spec/index.ts';
import { type Holder, livingHolder } from './holder.ts';
import { probeNames } from './objects.ts';
import { deleteNamespace, namespaceRef } from './own-namespace.ts';

/** Longer than a test of nodes can take: it waits up to 3 minutes for its pods and tests for 5; with 5,000 nodes 8 and 10. */
const livesForMs = 20 * 60_000;
/** A user may still be examining objects that were left recently. */
const sweptAfterMs = 60 * 60_000;

type Asked = { kube: Kube; clock: Clock; signal: AbortSignal; isDead?: Holder['isDead'] };

/**
 * The namespace that a killed test of nodes has left. Null if there is none, it is still at work, somebody keeps it or made it by hand, or it may not
 * be read. A remaining holder annotation means that it was to be removed; a holder that no longer renews was killed. For a holder on another machine
 * this takes a wait, because clocks differ. `sinceMs`: its age by this machine's clock.
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

/** Removes it after an hour. If that fails, it stays for the next test of nodes, which removes it. */
export async function sweepLeftProbe(asked: Asked): Promise<void> {
  const left = await leftProbe(asked);
  if (left === null || left.sinceMs < sweptAfterMs) return;
  await deleteNamespace(asked.kube, probeNames.namespace, left.uid, asked.signal).catch((error: unknown) => {
    if (!isKubeError(error)) throw error;
  });
}

/** A sentence for whoever checks the cluster. */
export function leftInWords({ sinceMs }: { readonly sinceMs: number }): string {
  const { namespace } = probeNames;
  return `A preflight that began ${Math.floor(sinceMs / 60_000)} min ago has left namespace ${namespace}, with pods on the nodes. \`kubectl delete namespace ${namespace}\` removes it, and so does the next preflight.`;
}
