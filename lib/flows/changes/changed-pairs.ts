import type { Flow, FlowEnd } from '../flow.ts';
import { endName, ownerName } from '../query/end-names.ts';
import { pairQuery } from '../query/queries-of-flow.ts';
import { trailSentence } from '../trail/policy-trail.ts';

/**
 * A pair of ends that talked before and does not since. `connections`: those that began before. `seen`: the end of its newest flow before, in seconds
 * since the epoch. `query` finds its flows.
 */
export type ChangedPair = {
  readonly state: 'denied' | 'silent';
  readonly from: string;
  readonly to: string;
  readonly protocol: string;
  readonly port: number;
  readonly connections: number;
  readonly seen: number;
  readonly why: string;
  readonly query: string;
};

/** `talked`: the number of pairs that were allowed before. `untold`: how many of them had no flow since, but too few before to call that silence. */
export type Changes = { readonly pairs: readonly ChangedPair[]; readonly talked: number; readonly untold: number };

/** The flows of a time span, in seconds since the epoch. */
export type FlowsOfTime = { readonly flows: readonly Flow[]; readonly since: number; readonly until: number };

/** A pair must be expected to have begun this many connections since: then fewer than one in a hundred is silent by chance. */
const leastExpected = 5;
/** A shorter time proves no silence, because agents that have just restarted report late. */
const leastSeconds = 300;
/** The pair must also have had flows over this share of the time before, and up to its last seconds: a burst that was over before is no silence. */
const leastShare = 0.5;
const lastSeconds = 300;

/**
 * Pairs that talked before and are denied or silent since. Pods are one end by their owner's name, so a new ReplicaSet is the same end. A pair that
 * was denied before did not talk. Denied pairs come first, then by connections.
 */
export function changedPairs(before: FlowsOfTime, since: FlowsOfTime): Changes {
  const then = byPair(before.flows);
  const now = byPair(since.flows);
  const pairs: ChangedPair[] = [];
  let talked = 0;
  let untold = 0;
  for (const [key, was] of then) {
    const [first] = was;
    if (first === undefined || was.some(isDenied)) continue;
    talked++;
    const is = now.get(key) ?? [];
    const denied = newest(is.filter(isDenied));
    const last = newest(was) ?? first;
    const connections = connectionsOf(was);
    const pair = {
      from: endName(first.from),
      to: endName(first.to),
      protocol: first.protocol,
      port: first.port,
      connections,
      seen: last.end,
      query: pairQuery(first),
    };
    if (denied !== null) pairs.push({ ...pair, state: 'denied', why: trailSentence(denied) });
    else if (is.length === 0) {
      if (isRegular(was, connections, before, since)) pairs.push({ ...pair, state: 'silent', why: silence(last) });
      else untold++;
    }
  }
  const order = (pair: ChangedPair) => (pair.state === 'denied' ? 0 : 1);
  pairs.sort((one, other) => order(one) - order(other) || other.connections - one.connections);
  return { pairs, talked, untold };
}

const silence = (last: Flow) => `Neither end reports it any more, allowed or denied. Before: ${trailSentence(last)}`;

function isRegular(was: readonly Flow[], connections: number, before: FlowsOfTime, since: FlowsOfTime): boolean {
  const length = Math.max(1, before.until - before.since);
  const span = Math.max(...was.map(({ end }) => end)) - Math.min(...was.map(({ start }) => start));
  // Without any flow the aggregator is silent, not each of the pairs.
  if (since.flows.length === 0 || since.until - since.since < leastSeconds) return false;
  const isToTheEnd = was.some(({ end }) => end >= before.until - lastSeconds);
  const expected = (connections * (since.until - since.since)) / length;
  return isToTheEnd && span >= length * leastShare && expected >= leastExpected;
}

/** Both ends report the same connections, so the larger count is taken. */
function connectionsOf(flows: readonly Flow[]): number {
  const of = (reporter: Flow['reporter']) =>
    flows.reduce((sum, flow) => sum + (flow.reporter === reporter ? flow.connections.started : 0), 0);
  return Math.max(of('source'), of('destination'));
}

const isDenied = ({ verdict }: Flow) => verdict === 'denied';

function newest(flows: readonly Flow[]): Flow | null {
  return flows.reduce<Flow | null>((latest, flow) => (latest === null || flow.end > latest.end ? flow : latest), null);
}

function byPair(flows: readonly Flow[]): Map<string, Flow[]> {
  const end = (of: FlowEnd) => [of.kind, of.namespace, ownerName(of)];
  return Map.groupBy(flows, (flow) => JSON.stringify([end(flow.from), end(flow.to), flow.protocol, flow.port]));
}
