import { setImmediate as nextTurn } from 'node:timers/promises';
import type { DataPlaneMaps } from '../bpf/index.ts';
import { type StayWith, staysWith } from '../services/stay-with.ts';

/** Entries that are read without a break: some 5 ms, with a lookup for each and sometimes a deletion. */
const looksATurn = 2_000;

/**
 * Deletes session affinities that lead to a removed backend, or to where it was before it moved. The kernel's map has no order, so all of it is read,
 * once per plan; health checks and the API are handled in between. Returns the number of deletions. @throws BpfError if the kernel refuses
 */
export async function letGo(
  { affinities }: Pick<DataPlaneMaps, 'affinities'>,
  stayWith: StayWith,
  signal: AbortSignal,
): Promise<number> {
  let looks = 0;
  let deleted = 0;
  for (const [key, { backend, port, node }] of affinities.entries()) {
    if (++looks % looksATurn === 0) await nextTurn();
    signal.throwIfAborted();
    // Earlier programs gave sockets an address alone.
    const target = { address: backend, port, node: node === '::' ? 'any' : node } as const;
    if (!staysWith(stayWith, key.service, target)) deleted += Number(affinities.delete(key));
  }
  return deleted;
}
