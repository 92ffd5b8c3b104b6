import { setImmediate as nextTurn } from 'node:timers/promises';
import type { DataPlaneMaps } from '../bpf/index.ts';
import { type StayWith, staysWith } from '../services/stay-with.ts';

/** Some 5 ms: each is a look and at times a deletion. */
const looksATurn = 2_000;

/**
 * Deletes what leads clients to a backend that went. The kernel's map has no order: all of it is looked through, so once a plan, with health checks and the API
 * answered in between. Returns how many were let go. @throws BpfError where the kernel refuses
 */
export async function letGo(
  { affinities }: Pick<DataPlaneMaps, 'affinities'>,
  stayWith: StayWith,
  signal: AbortSignal,
): Promise<number> {
  let looks = 0;
  let gone = 0;
  for (const [key, { backend, port }] of affinities.entries()) {
    if (++looks % looksATurn === 0) await nextTurn();
    signal.throwIfAborted();
    if (!staysWith(stayWith, key.service, { address: backend, port })) gone += Number(affinities.delete(key));
  }
  return gone;
}
