import {
  type BpfMap,
  type DataPlaneMaps,
  type Flow,
  type FlowKey,
  flowFlags,
  flowTypes,
  type Neighbours,
  protocols,
  tcpSeen,
} from '../bpf/index.ts';
import { handToHost, roomOfHost, type Translated } from '../host/host-connections.ts';
import { noAddress } from '../services/map-address.ts';
import { inTurns } from '../sync/in-turns.ts';
import { livesAs } from '../sync/sweep-flows.ts';

/** What becomes of the connections (TCP) that the programs translate packet by packet when they are taken away. */
export type HandedBack = {
  /** The kernel's own tracking goes on with these, as long as somebody has chains of type nat. */
  readonly kept: number;
  /** These end: they go to or come from another node by our tunnel, or from a pod to what is none outside of this node, or are a pod's to itself; or the kernel has no room for them. */
  readonly ended: number;
};

/** `hand` is given no more than `room`, and returns how many were taken. */
export type Host = { readonly room: () => number; readonly hand: typeof handToHost };

const thisHost: Host = { room: roomOfHost, hand: handToHost };

/** One entry of the two that each has: the one that its client sees; `null` for what is over, a datagram, or the other one. */
function handed({ protocol }: FlowKey, flow: Flow, nowNs: bigint): Translated | 'ended' | null {
  const kind = protocol === protocols.TCP ? livesAs(protocol, flow, nowNs) : null;
  if (kind === null || kind === 'closed') return null;
  if (flow.type === flowTypes.handedOn) return 'ended';
  if (flow.type !== flowTypes.service) return null;
  if (flow.peerNode !== noAddress || flow.client === flow.backend) return 'ended';
  // The kernel has it as one to its backend, maybe from the node's address, which an entry made anew would lose.
  if (flow.flags & flowFlags.byStack) return 'ended';
  const { client, clientPort, service, servicePort, backend, backendPort, snatPort: seenPort } = flow;
  // One that is still opening is to open: nobody else knows where its first packet went.
  return { client, clientPort, service, servicePort, backend, backendPort, seenPort, isOpening: kind === 'opening' };
}

/** Told of these, the kernel gives no other connection their ports when it translates: the two would look the same to their backend. */
function asItIs({ a, aPort, b, bPort, protocol }: FlowKey, of: Neighbours, nowNs: bigint): Translated | null {
  const kind = livesAs(protocol, { ...of, type: flowTypes.plain }, nowNs);
  if (kind === null || kind === 'closed') return null;
  // Who began it is known for as long as it has sent nothing else.
  const isOfB = ((of.tcp[1] ?? 0) & (tcpSeen.syn | tcpSeen.ack)) === tcpSeen.syn;
  const [client, clientPort, server, port] = isOfB ? [b, bPort, a, aPort] : [a, aPort, b, bPort];
  const to = { service: server, servicePort: port, backend: server, backendPort: port };
  return { client, clientPort, seenPort: clientPort, ...to, isOpening: kind === 'opening' };
}

/** What is established comes first where there is not room for all. */
const upTo = (room: number, all: readonly Translated[]) =>
  all.length <= room
    ? all
    : all.toSorted((one, other) => Number(one.isOpening) - Number(other.isOpening)).slice(0, room);

/** Where an entry goes while a map is read, the kernel begins anew. */
async function* eachOnce<Value>(map: BpfMap<FlowKey, Value>, signal: AbortSignal) {
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
 * Gives the kernel what it can go on with, as far as its table has room. Nothing is to begin meanwhile (leaving.ts).
 * @param nowNs of CLOCK_MONOTONIC
 * @throws BpfError where the flows cannot be read; the signal's reason once it aborts
 */
export async function handBack(
  { flows, neighbours }: Pick<DataPlaneMaps, 'flows' | 'neighbours'>,
  signal: AbortSignal,
  { nowNs = process.hrtime.bigint(), host = thisHost }: { readonly nowNs?: bigint; readonly host?: Host } = {},
): Promise<HandedBack> {
  const translated: Translated[] = [];
  const asTheyAre: Translated[] = [];
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
  // Without the kernel's knowledge these go on all the same: they get what is left.
  await host.hand(upTo(Math.max(0, room - translated.length), asTheyAre), signal);
  const kept = await host.hand(upTo(room, translated), signal);
  return { kept, ended: ended + translated.length - kept };
}
