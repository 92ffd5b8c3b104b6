import type { Address, Family } from '#lib/base/ip.ts';

/** A next hop that packets need. `ifindex` 0: it was not found, so its interface is unknown. */
export type NeededHop = { readonly to: Address; readonly ifindex: number; readonly lastNs: bigint };

/** The hops that the kernel was asked to resolve, by {@link keyOf}, with the time of the request. */
export type RequestedHops = ReadonlyMap<string, { readonly hop: NeededHop; readonly atNs: bigint }>;

/** The kernel waits this long for a neighbour that does not answer (three requests, one second apart), and keeps its place in the table occupied. */
const waitsNs = 3_000_000_000n;

const keyOf = ({ to, ifindex }: NeededHop) => `${to.family} ${to.value} ${ifindex}`;

type Kind = {
  readonly has: (hop: NeededHop) => boolean;
  /** This kind's share of a family's room. */
  readonly share: (room: number) => number;
  /** How many of the free places one look may fill. */
  readonly atOnce: (free: number) => number;
  readonly order: (one: NeededHop, other: NeededHop) => number;
};

const lastNeeded = (one: NeededHop, other: NeededHop) => Number(other.lastNs - one.lastNs);

const kinds: readonly Kind[] = [
  {
    has: ({ ifindex }) => ifindex !== 0,
    share: (room) => Math.floor(room / 2),
    atOnce: (free) => free,
    order: lastNeeded,
  },
  // Hops that were not found are only entered by the first packet after a look, so a busy hop is older than most of a flood: the oldest come first.
  // Half of the free places are left for the next look.
  {
    has: ({ ifindex }) => ifindex === 0,
    share: (room) => Math.ceil(room / 2),
    atOnce: (free) => Math.ceil(free / 2),
    order: (one, other) => lastNeeded(other, one),
  },
];

const families = [4, 6] as const;

/**
 * Chooses the next hops to ask the kernel for now, so that it never waits for more of a family than `room`, whatever packets ask for. Half of the
 * room is for known hops, the most recently needed first; the other half for hops that were not found, those that have waited longest first.
 * @returns `ask` in order, known hops first, and `requested` for the next look
 */
export function hopsToAsk(
  needed: readonly NeededHop[],
  before: RequestedHops,
  nowNs: bigint,
  room: Readonly<Record<Family, number>>,
): { readonly ask: readonly NeededHop[]; readonly requested: RequestedHops } {
  const requested = new Map([...before].filter(([, { atNs }]) => nowNs - atNs <= waitsNs));
  const waitedFor = [...requested.values()].map(({ hop }) => hop);
  const ask = kinds.flatMap(({ has, share, atOnce, order }) =>
    families.flatMap((family) => {
      const isOurs = (hop: NeededHop) => hop.to.family === family && has(hop);
      const limit = share(room[family]);
      let fresh = atOnce(Math.max(0, limit - waitedFor.filter(isOurs).length));
      // A hop that is no longer among the first is not asked for again, so its place becomes free.
      const first = needed.filter(isOurs).sort(order).slice(0, limit);
      return first.filter((hop) => requested.has(keyOf(hop)) || fresh-- > 0);
    }),
  );
  for (const hop of ask) requested.set(keyOf(hop), { hop, atNs: nowNs });
  return { ask, requested };
}
