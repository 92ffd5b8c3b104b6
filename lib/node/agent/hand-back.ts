import {
  type BpfMap,
  type Flow,
  type FlowKey,
  flowFlags,
  flowTypes,
  type HandedOverMaps,
  type Neighbours,
  protocols,
  tcpSeen,
} from '../bpf/index.ts';
import { handToHost, roomOfHost, type TranslatedConnection } from '../host/host-connections.ts';
import { noAddress } from '../services/map-address.ts';
import { inTurns } from '../sync/in-turns.ts';
import { livesAs } from '../sync/sweep-flows.ts';

/** Numbers of TCP connections that the programs translate packet by packet, when the programs are detached. */
export type HandedBack = {
  /** Connections that the kernel's connection tracking continues, as long as somebody has chains of type nat. */
  readonly kept: number;
  /**
   * Connections that end: those through our tunnel to or from another node, those that the host's stack tracks under a different address, those of a
   * pod to itself, and those for which the kernel has no room.
   */
  readonly ended: number;
};

/**
 * `room` returns for how many connections the kernel's table has room. `hand` gets at most so many connections and returns how many it has entered.
 */
export type Host = { readonly room: () => number; readonly hand: typeof handToHost };

const thisHost: Host = { room: roomOfHost, hand: handToHost };

/**
 * The connection to hand over for an entry. Each connection has two entries; only the one that its client sees counts. Null for closed connections,
 * datagrams, and the second entry.
 */
function handed({ protocol }: FlowKey, flow: Flow, nowNs: bigint): TranslatedConnection | 'ended' | null {
  const kind = protocol === protocols.TCP ? livesAs(protocol, flow, nowNs) : null;
  if (kind === null || kind === 'closed') return null;
  if (flow.type === flowTypes.handedOn) return 'ended';
  if (flow.type !== flowTypes.service) return null;
  if (flow.peerNode !== noAddress || flow.client === flow.backend) return 'ended';
  // The kernel tracks this one as a connection to its backend, perhaps from the node's address; a new entry would lose that address.
  if (flow.flags & flowFlags.byStack) return 'ended';
  const { client, clientPort, service, servicePort, backend, backendPort, snatPort: seenPort } = flow;
  // A connection that is still opening is handed over as such: only we know where its first packet went.
  return { client, clientPort, service, servicePort, backend, backendPort, seenPort, isOpening: kind === 'opening' };
}

/**
 * A connection without translation. Once the kernel knows it, it gives its ports to no other connection that it translates; otherwise the backend
 * could not tell the two apart.
 */
function asItIs({ a, aPort, b, bPort, protocol }: FlowKey, of: Neighbours, nowNs: bigint): TranslatedConnection | null {
  const kind = livesAs(protocol, { ...of, type: flowTypes.plain }, nowNs);
  if (kind === null || kind === 'closed') return null;
  // `b` has opened it if only a SYN was seen from `b`. After further packets this is unknown, and `a` is taken for the client.
  const isOfB = ((of.tcp[1] ?? 0) & (tcpSeen.syn | tcpSeen.ack)) === tcpSeen.syn;
  const [client, clientPort, server, port] = isOfB ? [b, bPort, a, aPort] : [a, aPort, b, bPort];
  const to = { service: server, servicePort: port, backend: server, backendPort: port };
  return { client, clientPort, seenPort: clientPort, ...to, isOpening: kind === 'opening' };
}

/** Established connections come first where there is not room for all. */
const upTo = (room: number, all: readonly TranslatedConnection[]) =>
  all.length <= room
    ? all
    : all.toSorted((one, other) => Number(one.isOpening) - Number(other.isOpening)).slice(0, room);

/** The entries of a map, each key once: if an entry is deleted while the map is read, the kernel starts again at its beginning. */
async function* eachOnce<Value>(map: Pick<BpfMap<FlowKey, Value>, 'entries'>, signal: AbortSignal) {
  const given = new Set<string>();
  let looks = 0;
  for (const [key, value] of map.entries()) {
    const id = Object.values(key).join();
    if (!given.has(id)) yield [key, value] as const;
    given.add(id);
    await inTurns(++looks, signal);
  }
}

/**
 * Enters the connections that the kernel can continue in its table, as far as it has room. No new connections may begin meanwhile (leaving.ts).
 * @param nowNs of CLOCK_MONOTONIC
 * @throws BpfError if the flows cannot be read; the signal's reason once it aborts
 */
export async function handBack(
  { flows, neighbours }: Pick<HandedOverMaps, 'flows' | 'neighbours'>,
  signal: AbortSignal,
  { nowNs = process.hrtime.bigint(), host = thisHost }: { readonly nowNs?: bigint; readonly host?: Host } = {},
): Promise<HandedBack> {
  const translated: TranslatedConnection[] = [];
  const asTheyAre: TranslatedConnection[] = [];
  let ended = 0;
  for await (const [key, flow] of eachOnce(flows, signal)) {
    const one = handed(key, flow, nowNs);
    if (one === 'ended') ended++;
    else if (one !== null) translated.push(one);
  }
  for await (const [key, of] of eachOnce(neighbours, signal)) {
    const one = asItIs(key, of, nowNs);
    if (one !== null) asTheyAre.push(one);
  }
  const room = host.room();
  // Untranslated connections also continue without an entry, so they only get the room that is left.
  await host.hand(upTo(Math.max(0, room - translated.length), asTheyAre), signal);
  const entered = await host.hand(upTo(room, translated), signal);
  return { kept: entered, ended: ended + translated.length - entered };
}
