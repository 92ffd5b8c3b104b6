import { conditionsOf, isKubeError, type Kube } from '#lib/kube/index.ts';
import { resources } from '#lib/spec/index.ts';

/** One condition of a TigeraStatus, for the stream. */
export type TigeraCondition = { object: string; type: string; status: string; message: string | null };

/** Every condition of every TigeraStatus. For people only: conditions lag and omit (controlplane.md › Recordings 2), so nothing is decided by them. */
export async function tigeraConditions(kube: Kube, signal: AbortSignal): Promise<TigeraCondition[]> {
  const found: TigeraCondition[] = [];
  try {
    for await (const page of kube.list(resources.tigeraStatuses, { signal })) {
      for (const object of page.items) {
        for (const { type, status, message } of conditionsOf(object))
          found.push({ object: `TigeraStatus/${object.metadata.name}`, type, status, message });
      }
    }
  } catch (error) {
    if (!isKubeError(error, 'forbidden', 'not-served')) throw error;
  }
  return found;
}
