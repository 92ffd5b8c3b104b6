import { frontKey, type ServiceEntries, type ServiceProblem } from './entries.ts';
import type { Present } from './present.ts';

type Size = { readonly fronts: number; readonly backends: number };

/** How much all Services may hold of the maps, and how much one of them. */
export type Room = { readonly all: Size; readonly one: Size };

/**
 * Of 131,072 fronts and 524,288 backends (bpf/service.h). A tenth of each map is left free: while lists change, both what comes and what goes stand in it. One
 * Service may hold a tenth: who may write one must not take the room of all others by it.
 */
export const roomOfMaps: Room = {
  all: { fronts: 117_964, backends: 471_859 },
  one: { fronts: 13_107, backends: 52_428 },
};

export const backendsOf = ({ ports }: Pick<ServiceEntries, 'ports'>) =>
  ports.reduce((sum, { lists }) => sum + lists.cluster.length + lists.local.length, 0);

export const frontsOf = ({ ports }: Pick<ServiceEntries, 'ports'>) =>
  ports.reduce((sum, { fronts }) => sum + fronts.length, 0);

/** Null: it is not. */
export function tooLarge(entries: ServiceEntries, { one }: Room): ServiceProblem | null {
  const [fronts, backends] = [frontsOf(entries), backendsOf(entries)];
  if (fronts <= one.fronts && backends <= one.backends) return null;
  const [number, most, what] =
    fronts > one.fronts ? [fronts, one.fronts, 'addresses with ports'] : [backends, one.backends, 'places of backends'];
  return {
    code: 'full',
    text: `It needs ${number} ${what}. One Service may have ${most}, a tenth of what this node’s maps hold.`,
  };
}

/** Whether all its ClusterIPs stand in the maps. Only these: others write the address of another Service at will (CVE-2020-8554). */
export function isAnswered({ ports }: ServiceEntries, present: Pick<Present, 'fronts'>): boolean {
  return ports.every(({ fronts }) =>
    fronts.every((front) => front.kind !== 'ClusterIP' || present.fronts.has(frontKey(front))),
  );
}
