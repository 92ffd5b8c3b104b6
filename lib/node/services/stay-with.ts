import { type Backend, type Lists, listKinds } from './entries.ts';
import { backendKey } from './slots.ts';

/**
 * To which backends clients may go on that are kept at one (session affinity), by the number of a Service's port. Whoever is kept elsewhere under one of these
 * numbers is let go. `others`: what is kept under any other number stays, or goes as well.
 */
export type StayWith = {
  readonly byId: ReadonlyMap<number, ReadonlySet<string>>;
  readonly others: 'stay' | 'go';
};

/** Whether a client that is kept there goes on. */
export function staysWith({ byId, others }: StayWith, id: number, backend: Pick<Backend, 'address' | 'port'>): boolean {
  const known = byId.get(id);
  return known ? known.has(backendKey(backend)) : others === 'stay';
}

export function backendsIn(lists: Lists): Set<string> {
  return new Set(listKinds.flatMap((list) => lists[list].map(backendKey)));
}
