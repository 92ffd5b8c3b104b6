import type { Flow, FlowEnd, Verdict } from './flow.ts';
import { endName } from './query/end-names.ts';
import { decidedBy } from './trail/policy-trail.ts';

export const talkerGroups = ['pair', 'from', 'to', 'policy'] as const;
export type TalkerGroup = (typeof talkerGroups)[number];

/** What was added up of all flows of a group. Bytes and packets go both ways. */
export type Talker = {
  readonly name: string;
  readonly bytes: number;
  readonly packets: number;
  readonly connections: number;
  readonly denied: number;
};

/** The groups that moved the most bytes, and those that were denied the most where no byte moved. */
export function talkersOf(flows: readonly Flow[], by: TalkerGroup, most: number): Talker[] {
  const groups = new Map<string, { bytes: number; packets: number; connections: number; denied: number }>();
  // Each end has policies of its own: what one of them decided is not what the other did.
  const counted = by === 'policy' ? flows.map(once) : eachPairOnce(flows);
  for (const { flow, bytes, packets, connections, verdict } of counted) {
    const name = nameOf[by](flow);
    const sum = groups.get(name) ?? { bytes: 0, packets: 0, connections: 0, denied: 0 };
    sum.bytes += bytes;
    sum.packets += packets;
    sum.connections += connections;
    if (verdict === 'denied') sum.denied += connections;
    groups.set(name, sum);
  }
  return [...groups]
    .map(([name, sums]) => ({ name, ...sums }))
    .sort((a, b) => b.bytes - a.bytes || b.denied - a.denied || (a.name < b.name ? -1 : 1))
    .slice(0, most);
}

const nameOf: Readonly<Record<TalkerGroup, (flow: Flow) => string>> = {
  pair: (flow) => `${endName(flow.from)} → ${endName(flow.to)}:${flow.port}`,
  from: (flow) => endName(flow.from),
  to: (flow) => endName(flow.to),
  policy: (flow) => decidedBy(flow),
};

type Once = { flow: Flow; bytes: number; packets: number; connections: number; verdict: Verdict };

function once(flow: Flow): Once {
  return {
    flow,
    bytes: flow.bytes.in + flow.bytes.out,
    packets: flow.packets.in + flow.packets.out,
    connections: flow.connections.started,
    verdict: flow.verdict,
  };
}

/** Both ends tell of the same connections, each with its own policies: they are counted once, by whoever saw more, and denied where either end denied. */
function eachPairOnce(flows: readonly Flow[]): Once[] {
  const sides = new Map<string, { source: Once[]; destination: Once[] }>();
  for (const flow of flows) {
    const ends = [flow.from, flow.to].map(({ kind, namespace, name }: FlowEnd) => [kind, namespace, name]);
    const key = JSON.stringify([ends, flow.protocol, flow.port]);
    const pair = sides.get(key) ?? { source: [], destination: [] };
    sides.set(key, pair);
    pair[flow.reporter].push(once(flow));
  }
  return [...sides.values()].flatMap(({ source, destination }) => {
    const weight = (side: readonly Once[]) => side.reduce((sum, one) => sum + one.packets, 0);
    const denies = (side: readonly Once[]) => side.some(({ verdict }) => verdict === 'denied');
    if (denies(source) !== denies(destination)) return denies(source) ? source : destination;
    return weight(destination) > weight(source) ? destination : source;
  });
}
