import { z } from 'zod';
import { isKubeError, type Kube } from '#lib/kube/index.ts';
import { resources } from '#lib/spec/index.ts';

/** One condition of a TigeraStatus, as the stream shows it. */
export type TigeraCondition = { object: string; type: string; status: string; message: string | null };

const conditions = z
  .array(z.object({ type: z.string(), status: z.string(), message: z.string().optional() }))
  .catch([]);

/** Every condition of every TigeraStatus. They lag and omit (controlplane.md › Recordings 2): for people to see, never to decide by. */
export async function tigeraConditions(kube: Kube, signal: AbortSignal): Promise<TigeraCondition[]> {
  const found: TigeraCondition[] = [];
  try {
    for await (const page of kube.list(resources.tigeraStatuses, { signal })) {
      for (const object of page.items) {
        const status = z.looseObject({ conditions }).catch({ conditions: [] }).parse(object.status);
        for (const { type, status: value, message } of status.conditions) {
          found.push({ object: `TigeraStatus/${object.metadata.name}`, type, status: value, message: message ?? null });
        }
      }
    }
  } catch (error) {
    if (!isKubeError(error, 'forbidden', 'not-served')) throw error;
  }
  return found;
}
