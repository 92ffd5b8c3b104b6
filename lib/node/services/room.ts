import { frontKey, type ServiceEntries, type ServiceProblem } from './entries.ts';
import type { Present } from './present.ts';

type Size = { readonly fronts: number; readonly backends: number; readonly ranges: number };

/** How much of the maps all Services together, and each single one, may use. */
export type Room = { readonly all: Size; readonly one: Size };

/**
 * Of 131,072 fronts, 524,288 backends and 65,536 client ranges (bpf/service.h) a tenth is kept free, because old and new entries coexist while lists
 * change. One Service may use a tenth, so that its author cannot take the room of all others: once the kernel has refused a write, it takes no later
 * change of any Service either.
 */
export const roomOfMaps: Room = {
  all: { fronts: 117_964, backends: 471_859, ranges: 58_982 },
  one: { fronts: 13_107, backends: 52_428, ranges: 6_553 },
};

/** Number of entries that the Service's lists take in the map of backends. */
export const countBackends = ({ ports }: Pick<ServiceEntries, 'ports'>) =>
  ports.reduce((sum, { lists }) => sum + lists.cluster.length + lists.local.length, 0);

/** Number of entries that the Service takes in the map of client ranges: each of its ports has all of them. */
export const countRanges = ({ ports }: Pick<ServiceEntries, 'ports'>) =>
  ports.reduce((sum, { ranges }) => sum + ranges.length, 0);

/** Number of entries that the Service takes in the map of fronts. */
export const countFronts = ({ ports }: Pick<ServiceEntries, 'ports'>) =>
  ports.reduce((sum, { fronts }) => sum + fronts.length, 0);

/** Null: it is not too large. */
export function tooLarge(entries: ServiceEntries, { one }: Room): ServiceProblem | null {
  const needs = [
    [countFronts(entries), one.fronts, 'addresses with ports'],
    [countBackends(entries), one.backends, 'places of backends'],
    [countRanges(entries), one.ranges, 'client ranges, all of them for each port'],
  ] as const;
  const tooMany = needs.find(([number, most]) => number > most);
  if (!tooMany) return null;
  const [number, most, what] = tooMany;
  return {
    code: 'full',
    text: `It needs ${number} ${what}. One Service may have ${most}, a tenth of what this node’s maps hold.`,
  };
}

/**
 * Whether all its ClusterIPs are in the maps. Only these count: anybody can name another Service's address as load balancer address or external IP
 * (CVE-2020-8554).
 */
export function isAnswered({ ports }: ServiceEntries, present: Pick<Present, 'fronts'>): boolean {
  return ports.every(({ fronts }) =>
    fronts.every((front) => front.kind !== 'ClusterIP' || present.fronts.has(frontKey(front))),
  );
}
