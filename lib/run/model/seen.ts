import type { EventBody, NodeState } from './event.ts';
import type { Entry } from './journal.ts';
import { isOnItsWay } from './on-its-way.ts';
import type { Seen } from './seen-schema.ts';

type NodeEvent = Extract<EventBody, { event: 'node' }>;
type ConditionEvent = Extract<EventBody, { event: 'condition' }>;

/** In a larger cluster each proven node says the same. */
const detailsKept = 300;

/** Conditions flap; these are for people to read. */
const conditionsKept = 200;

type NodeSeen = { node: NodeState; movingMs: number | null; sinceMs: number };

/** Remembers what happened since it was taken last. */
export class SeenSince {
  private readonly nodes = new Map<string, NodeSeen>();
  private readonly moved = new Set<string>();
  private conditions: { atMs: number; data: ConditionEvent['data'] }[] = [];

  node(node: NodeState, atMs: number): void {
    const known = this.nodes.get(node.name);
    const isSame = known?.node.state === node.state && known.node.dataplane === node.dataplane;
    const movingMs = isOnItsWay(node)
      ? (known?.movingMs ?? atMs)
      : node.state === 'waiting'
        ? null
        : (known?.movingMs ?? null);
    this.nodes.set(node.name, { node, movingMs, sinceMs: isSame ? known.sinceMs : atMs });
    this.moved.add(node.name);
  }

  condition(data: ConditionEvent['data'], atMs: number): void {
    this.conditions = [...this.conditions.slice(1 - conditionsKept), { atMs, data }];
  }

  /** An entry that closes a part of the timeline, with what was seen until then. */
  with(entry: Entry): Entry {
    if (entry.what !== 'finished' && entry.what !== 'paused' && entry.what !== 'ended') return entry;
    const seen = this.take(Date.parse(entry.at));
    return seen === undefined ? entry : { ...entry, seen };
  }

  /** Undefined where nothing was seen since. `atMs`: of the entry that it goes with. */
  take(atMs: number): Seen | undefined {
    const before = (ms: number) => Math.round(Math.max(0, atMs - ms) / 1000);
    const nodes = [...this.moved].flatMap((name): Seen['nodes'] => {
      const seen = this.nodes.get(name);
      if (!seen) return [];
      const { node, movingMs, sinceMs } = seen;
      const detail = node.state === 'proven' && this.nodes.size > detailsKept ? '' : node.detail;
      return [[name, node.state, node.dataplane, movingMs === null ? null : before(movingMs), before(sinceMs), detail]];
    });
    const conditions = this.conditions.map(({ atMs: ms, data }) => ({ before: before(ms), ...data }));
    this.moved.clear();
    this.conditions = [];
    for (const [name, seen] of this.nodes)
      if (seen.node.state === 'proven') this.nodes.set(name, { ...seen, movingMs: null });
    return nodes.length + conditions.length === 0 ? undefined : { nodes, conditions };
  }
}

export type SeenEvent = { at: string; body: NodeEvent | ConditionEvent };

const provenAs = { bpf: 'eBPF is proven', standard: 'the standard data plane is proven' } as const;

/** The same as events, oldest first, so that a page that comes later folds what one saw that was there. */
export function eventsOfSeen({ nodes, conditions }: Seen, at: string): SeenEvent[] {
  const ago = (seconds: number) => new Date(Date.parse(at) - seconds * 1000).toISOString();
  const events = [
    ...nodes.flatMap(([name, state, dataplane, moving, since, detail]): SeenEvent[] => {
      const node = (data: Pick<NodeState, 'state' | 'dataplane' | 'detail'>): NodeEvent => ({
        event: 'node',
        data: { name, evidence: [], ...data },
      });
      const told = detail === '' && state === 'proven' ? (dataplane === null ? 'proven' : provenAs[dataplane]) : detail;
      return [
        ...(moving === null
          ? []
          : [{ at: ago(moving), body: node({ state: 'restarting', dataplane: null, detail: '' }) }]),
        { at: ago(since), body: node({ state, dataplane, detail: told }) },
      ];
    }),
    ...conditions.map(({ before, ...data }): SeenEvent => ({ at: ago(before), body: { event: 'condition', data } })),
  ];
  return events.sort((one, other) => one.at.localeCompare(other.at));
}
