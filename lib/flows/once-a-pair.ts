import type { Flow, FlowEnd, Verdict } from './flow.ts';

/** One end's report of a connection, with both directions summed. */
export type Once = { flow: Flow; bytes: number; packets: number; connections: number; verdict: Verdict };

export function once(flow: Flow): Once {
  return {
    flow,
    bytes: flow.bytes.in + flow.bytes.out,
    packets: flow.packets.in + flow.packets.out,
    connections: flow.connections.started,
    verdict: flow.verdict,
  };
}

/**
 * Both ends report the same connections, each with its own policies. Counts them once, by the end that saw more packets, or by the one that denied if
 * only one did.
 */
export function eachPairOnce(flows: readonly Flow[]): Once[] {
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
