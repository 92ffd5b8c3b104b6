import { counted } from '#lib/base/words.ts';
import type { Flow, FlowEnd } from '../flow.ts';
import { eachPairOnce, type Once } from '../once-a-pair.ts';
import { endName, ownerName } from '../query/end-names.ts';
import { placesQuery } from '../query/queries-of-flow.ts';
import { decidedBy } from '../trail/policy-trail.ts';

/** One place per namespace, places for the workloads with the most traffic, or for all workloads. */
export type MapLevel = 'namespaces' | 'workloads' | 'all';

/**
 * A place in the drawing: a workload, a whole namespace, or an end without one. `name` null: the whole namespace, or all of it that has no place of
 * its own.
 */
export type MapPlace = {
  readonly id: string;
  readonly namespace: string | null;
  readonly name: string | null;
  /** `title` is shown inside the box of its namespace, `text` outside. */
  readonly title: string;
  readonly text: string;
};

/**
 * Traffic from one place to another. `allowed` and `denied` count connections; bytes in both directions. `query` selects its flows; null if no query
 * selects exactly these.
 */
export type MapEdge = {
  readonly id: string;
  readonly from: MapPlace;
  readonly to: MapPlace;
  readonly allowed: number;
  readonly denied: number;
  readonly bytes: number;
  /** Such as `5432 TCP`, in order. */
  readonly ports: readonly string[];
  /** The policies behind denied connections. */
  readonly decidedBy: readonly string[];
  readonly query: string | null;
};

/** Edges with denied connections come first, then by bytes. `workloads`: the number of ends, whatever is drawn. */
export type FlowMap = {
  readonly places: readonly MapPlace[];
  readonly edges: readonly MapEdge[];
  readonly workloads: number;
  /** The length of the flows' time, at least 1. */
  readonly minutes: number;
};

/** The most workloads with a place of their own, unless all are wanted. */
export const mostPlaces = 30;

/** Draws who talks with whom. Workloads without a place of their own share one per namespace; none is left out. */
export function flowMap(flows: readonly Flow[], level: MapLevel): FlowMap {
  const pairs = eachPairOnce(flows);
  const ends = byWeight(pairs);
  const own = new Set(level === 'all' ? ends : level === 'namespaces' ? [] : ends.slice(0, mostPlaces));
  const namespaceOf = (end: string) => end.split('/')[0] ?? '';
  const ownNamespaces = new Set([...own].map(namespaceOf));
  const rest = Map.groupBy(
    ends.filter((end) => !own.has(end)),
    namespaceOf,
  );
  const placeOf = (end: FlowEnd): MapPlace => {
    const name = endName(end);
    const { namespace } = end;
    if (namespace === null || own.has(name)) {
      const title = namespace === null ? name : ownerName(end);
      return { id: name, namespace, name: ownerName(end), title, text: name };
    }
    const id = `${namespace}/`;
    if (level === 'namespaces') return { id, namespace, name: null, title: namespace, text: namespace };
    const others = rest.get(namespace)?.length ?? 0;
    const words = ownNamespaces.has(namespace) ? `${others} more` : counted(others, 'workload');
    const text = `${namespace}: ${words}`;
    return { id, namespace, name: null, title: ownNamespaces.has(namespace) ? words : text, text };
  };
  const places = new Map<string, MapPlace>();
  const sums = new Map<string, Sum>();
  for (const one of pairs) {
    const [from, to] = [placeOf(one.flow.from), placeOf(one.flow.to)];
    for (const place of [from, to]) places.set(place.id, place);
    const id = JSON.stringify([from.id, to.id]);
    const sum = sums.get(id) ?? { from, to, allowed: 0, denied: 0, bytes: 0, ports: new Set(), decidedBy: new Set() };
    sums.set(id, sum);
    add(sum, one);
  }
  const isWhole = ({ name }: MapPlace) => name !== null || level === 'namespaces';
  return {
    workloads: ends.length,
    minutes: minutesOf(flows),
    places: [...places.values()].sort((a, b) => (a.id < b.id ? -1 : 1)),
    edges: [...sums]
      .map(([id, { ports, decidedBy: by, ...sum }]) => ({
        ...sum,
        id,
        ports: [...ports].sort((a, b) => Number.parseInt(a, 10) - Number.parseInt(b, 10)),
        decidedBy: [...by],
        query: isWhole(sum.from) && isWhole(sum.to) ? placesQuery(sum) : null,
      }))
      .sort((a, b) => b.denied - a.denied || b.bytes - a.bytes || (a.id < b.id ? -1 : 1)),
  };
}

function minutesOf(flows: readonly Flow[]): number {
  const [since, until] = flows.reduce(
    ([first, last], { start, end }) => [Math.min(first, start), Math.max(last, end)],
    [Number.POSITIVE_INFINITY, 0],
  );
  return Math.max(1, (until - since) / 60);
}

type Sum = Pick<MapEdge, 'from' | 'to'> & {
  allowed: number;
  denied: number;
  bytes: number;
  readonly ports: Set<string>;
  readonly decidedBy: Set<string>;
};

function add(sum: Sum, { flow, connections, bytes, verdict }: Once): void {
  if (verdict === 'denied') {
    sum.denied += connections;
    sum.decidedBy.add(decidedBy(flow));
  } else sum.allowed += connections;
  sum.bytes += bytes;
  sum.ports.add(flow.port === 0 ? flow.protocol : `${flow.port} ${flow.protocol}`);
}

/** Names of all ends: those with the most denied connections in either direction first, then by bytes. */
function byWeight(pairs: readonly Once[]): string[] {
  const weights = new Map<string, { denied: number; bytes: number }>();
  for (const { flow, connections, bytes, verdict } of pairs)
    for (const end of new Set([endName(flow.from), endName(flow.to)])) {
      const weight = weights.get(end) ?? { denied: 0, bytes: 0 };
      weights.set(end, weight);
      weight.bytes += bytes;
      if (verdict === 'denied') weight.denied += connections;
    }
  return [...weights]
    .sort(([a, one], [b, other]) => other.denied - one.denied || other.bytes - one.bytes || (a < b ? -1 : 1))
    .map(([name]) => name);
}
