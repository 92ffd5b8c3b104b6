import type { Flow, FlowEnd } from './flow.ts';
import { eachPairOnce, once } from './once-a-pair.ts';
import { endName } from './query/end-names.ts';
import { endQuery, pairQuery, policyQuery } from './query/queries-of-flow.ts';
import { decidedBy, decidingPolicy } from './trail/policy-trail.ts';

export const talkerGroups = ['pair', 'from', 'to', 'policy', 'denied', 'external', 'dns'] as const;
export type TalkerGroup = (typeof talkerGroups)[number];

/** Sums over all flows of a group; bytes and packets in both directions. `query` selects the group's flows; null if none does. */
export type Talker = {
  readonly name: string;
  readonly bytes: number;
  readonly packets: number;
  readonly connections: number;
  readonly denied: number;
  readonly query: string | null;
};

type Grouping = {
  name(flow: Flow): string;
  query(flow: Flow): string | null;
  /** Absent: every flow belongs to a group. */
  holds?(flow: Flow): boolean;
  /** `end`: the flows of both ends count, because each end has its own policies and decisions. */
  readonly counts: 'pair' | 'end';
  /** The sums by which groups are sorted. */
  readonly by: 'bytes' | 'denied';
};

const pairs: Grouping = {
  name: (flow) => `${endName(flow.from)} → ${endName(flow.to)}:${flow.port}`,
  query: (flow) => `${pairQuery(flow)} port:${flow.port}`,
  counts: 'pair',
  by: 'bytes',
};

const policies: Grouping = {
  name: (flow) => {
    const policy = decidingPolicy(flow);
    const short = decidedBy(flow);
    return policy === null || policy.name === '' || short.endsWith(policy.name) ? short : `${short}: ${policy.name}`;
  },
  query: (flow) => {
    const policy = decidingPolicy(flow);
    return policy === null ? null : policyQuery(policy);
  },
  counts: 'end',
  by: 'bytes',
};

const groupings: Readonly<Record<TalkerGroup, Grouping>> = {
  pair: pairs,
  from: { name: ({ from }) => endName(from), query: ({ from }) => endQuery(from, 'from'), counts: 'pair', by: 'bytes' },
  to: { name: ({ to }) => endName(to), query: ({ to }) => endQuery(to, 'to'), counts: 'pair', by: 'bytes' },
  policy: { ...policies, name: decidedBy },
  denied: { ...policies, holds: ({ verdict }) => verdict === 'denied', by: 'denied' },
  external: { ...pairs, holds: ({ from, to }) => isOutside(from) || isOutside(to) },
  dns: { ...pairs, holds: ({ port }) => port === 53 },
};

/** Neither workload nor host of the cluster. Flow logs name such ends only as networks, without addresses. */
const isOutside = ({ kind }: FlowEnd) => kind === 'network' || kind === 'network-set';

/** The `most` groups with the most bytes, or the most denied connections. */
export function talkersOf(flows: readonly Flow[], by: TalkerGroup, most: number): Talker[] {
  const { name: nameOf, query, holds = () => true, counts, by: first } = groupings[by];
  const groups = new Map<string, { flow: Flow; bytes: number; packets: number; connections: number; denied: number }>();
  const among = flows.filter(holds);
  for (const { flow, bytes, packets, connections, verdict } of counts === 'end'
    ? among.map(once)
    : eachPairOnce(among)) {
    const name = nameOf(flow);
    const sum = groups.get(name) ?? { flow, bytes: 0, packets: 0, connections: 0, denied: 0 };
    sum.bytes += bytes;
    sum.packets += packets;
    sum.connections += connections;
    if (verdict === 'denied') sum.denied += connections;
    groups.set(name, sum);
  }
  const then = first === 'bytes' ? 'denied' : 'bytes';
  return [...groups]
    .map(([name, { flow, ...sums }]) => ({ name, ...sums, query: query(flow) }))
    .sort((a, b) => b[first] - a[first] || b[then] - a[then] || (a.name < b.name ? -1 : 1))
    .slice(0, most);
}
