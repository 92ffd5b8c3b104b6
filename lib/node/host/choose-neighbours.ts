import type { Address, Family } from '#lib/base/ip.ts';

/** A next hop that packets need. `ifindex` 0: its hardware address was not found, and by which interface it is, nobody tells. */
export type NeededHop = { readonly to: Address; readonly ifindex: number; readonly lastNs: bigint };

/** What the kernel was asked for, by {@link keyOf}, and when. */
export type AskedHops = ReadonlyMap<string, { readonly hop: NeededHop; readonly atNs: bigint }>;

/** So long the kernel waits for who does not answer (it asks three times, a second apart), and lets nothing else have the place in its table. */
const waitsNs = 3_000_000_000n;

const keyOf = ({ to, ifindex }: NeededHop) => `${to.family} ${to.value} ${ifindex}`;

type Kind = {
  readonly has: (hop: NeededHop) => boolean;
  /** Of so much room for a family it has so much. */
  readonly share: (room: number) => number;
  /** Of so many free places a look gives away so many. */
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
  // These are written by the first packet after a look alone: a busy one is older than most of a flood. The next look finds free places, too.
  {
    has: ({ ifindex }) => ifindex === 0,
    share: (room) => Math.ceil(room / 2),
    atOnce: (free) => Math.ceil(free / 2),
    order: (one, other) => lastNeeded(other, one),
  },
];

const families = [4, 6] as const;

/**
 * Which next hops the kernel is asked for now, so that at no time it waits for more of a family than `room`, whatever packets ask for. Half of it is for hops that are
 * known, the last needed first; half for hops that were not found, those first that have waited longest.
 * @returns `ask` in order, known ones first, and `asked` for the next look
 */
export function hopsToAsk(
  needed: readonly NeededHop[],
  before: AskedHops,
  nowNs: bigint,
  room: Readonly<Record<Family, number>>,
): { readonly ask: readonly NeededHop[]; readonly asked: AskedHops } {
  const asked = new Map([...before].filter(([, { atNs }]) => nowNs - atNs <= waitsNs));
  const waitedFor = [...asked.values()].map(({ hop }) => hop);
  const ask = kinds.flatMap(({ has, share, atOnce, order }) =>
    families.flatMap((family) => {
      const isOurs = (hop: NeededHop) => hop.to.family === family && has(hop);
      const places = share(room[family]);
      let fresh = atOnce(Math.max(0, places - waitedFor.filter(isOurs).length));
      // Who is not among the first any more is not asked for again, and makes room.
      const first = needed.filter(isOurs).sort(order).slice(0, places);
      return first.filter((hop) => asked.has(keyOf(hop)) || fresh-- > 0);
    }),
  );
  for (const hop of ask) asked.set(keyOf(hop), { hop, atNs: nowNs });
  return { ask, asked };
}
