import { type Backend, type Lists, listKinds } from './entries.ts';
import type { MapAddress } from './map-address.ts';
import { backendKey } from './slots.ts';

/**
 * The backends with which clients may stay under session affinity, by the number of a Service's port. Clients of these numbers with another backend
 * are released. `others`: whether clients of other numbers stay or are released too.
 */
export type StayWith = {
  readonly byId: ReadonlyMap<number, ReadonlySet<string>>;
  readonly others: 'stay' | 'go';
};

/**
 * The backend of a session affinity, with its node: otherwise clients of a backend that has moved would still be sent to its earlier node. `any`: the
 * affinity names no node.
 */
type AffinityTarget = Pick<Backend, 'address' | 'port'> & { readonly node: MapAddress | 'any' };
const affinityKey = (backend: AffinityTarget) => `${backendKey(backend)} ${backend.node}`;

/** Whether a client may stay with this backend. */
export function staysWith({ byId, others }: StayWith, id: number, backend: AffinityTarget): boolean {
  const known = byId.get(id);
  return known ? known.has(affinityKey(backend)) : others === 'stay';
}

/** The backends of these lists, each on its node and on any. */
export function backendsIn(lists: Lists): Set<string> {
  return new Set(
    listKinds.flatMap((list) => lists[list].flatMap((one) => [affinityKey(one), affinityKey({ ...one, node: 'any' })])),
  );
}
