import { type Clock, isKubeError, type Kube } from '#lib/kube/index.ts';
import { names } from '#lib/spec/index.ts';
import { type Holder, livingHolder } from './holder.ts';
import { probeNames } from './objects/probe-names.ts';
import { deleteNamespace, namespaceRef } from './own-namespace.ts';

/** Longer than a test of nodes can take: it waits up to 3 minutes for its pods and tests for 5 minutes; with 5,000 nodes 8 and 10 minutes. */
const livesForMs = 20 * 60_000;
/** A user may still be examining objects that were left recently. */
const sweptAfterMs = 60 * 60_000;

type LeftProbeOptions = { kube: Kube; clock: Clock; signal: AbortSignal; isDead?: Holder['isDead'] };

/**
 * The namespace that a killed test of nodes has left. Null if there is none, if its test is still at work, if a user keeps it or created it, or if it
 * may not be read. A namespace that still has the holder annotation was to be removed; a holder that no longer renews it was killed. A holder on another
 * machine is watched for a while, because clocks differ. `sinceMs`: age of the namespace by this machine's clock. Rejects with KubeError `aborted` only.
 */
export async function leftProbe(
  options: LeftProbeOptions,
): Promise<{ readonly uid: string; readonly sinceMs: number } | null> {
  try {
    return await found(options);
  } catch (error) {
    if (isKubeError(error) && !isKubeError(error, 'aborted')) return null;
    throw error;
  }
}

async function found(options: LeftProbeOptions): ReturnType<typeof leftProbe> {
  const namespace = await options.kube.get(namespaceRef(probeNames.namespace), { signal: options.signal });
  const { uid, labels, annotations, creationTimestamp, deletionTimestamp } = namespace?.metadata ?? {};
  const sinceMs = options.clock.now() - Date.parse(String(creationTimestamp));
  const isOurs =
    labels?.[names.managedByLabel] === names.fieldManager &&
    annotations?.[names.holderAnnotation] !== undefined &&
    annotations[names.keptAnnotation] === undefined;
  if (!namespace || uid === undefined || !isOurs || deletionTimestamp || !(sinceMs > livesForMs)) return null;
  return (await livingHolder(options, namespace)) === null ? { uid, sinceMs } : null;
}

/** Removes that namespace once it is an hour old. If that fails, the next test of nodes removes it. */
export async function sweepLeftProbe(options: LeftProbeOptions): Promise<void> {
  const left = await leftProbe(options);
  if (left === null || left.sinceMs < sweptAfterMs) return;
  await deleteNamespace(options.kube, probeNames.namespace, left.uid, options.signal).catch((error: unknown) => {
    if (!isKubeError(error)) throw error;
  });
}

/** The sentence about that namespace for the user of `check`. */
export function leftInWords({ sinceMs }: { readonly sinceMs: number }): string {
  const { namespace } = probeNames;
  return `A preflight that began ${Math.floor(sinceMs / 60_000)} min ago has left namespace ${namespace}, with pods on the nodes. \`kubectl delete namespace ${namespace}\` removes it, and so does the next preflight.`;
}
