import {
  type DataPlaneMaps,
  type Flow,
  type FlowKey,
  flowFlags,
  flowLasts,
  flowTypes,
  protocols,
  tcpSeen,
} from '../bpf/index.ts';
import type { BackendAt } from '../services/present.ts';
import { inTurns } from './in-turns.ts';

/** Why an entry was deleted: no packet for longer than entries of its kind last, or its backend was removed. */
export type SweepReason = 'opening' | 'established' | 'half-closed' | 'closed' | 'datagram' | 'backend-gone';

/** The kernel ignores an expired entry. It is deleted only this much later, so that an entry that has just got a packet is not deleted. */
const laterS = 30;

/** The kind that decides how long an entry lasts, as `lasts_s` of bpf/flow.h. */
function kindOfFlow(protocol: number, { tcp, type }: Pick<Flow, 'tcp' | 'type'>): Exclude<SweepReason, 'backend-gone'> {
  if (protocol !== protocols.TCP) return 'datagram';
  const [there = 0, back = 0] = tcp;
  if (((there | back) & tcpSeen.rst) !== 0 || (there & back & tcpSeen.fin) !== 0) return 'closed';
  const isHandedOn = type === flowTypes.handedOn;
  const isAnswered = (back & tcpSeen.ack) !== 0 || isHandedOn;
  if (isHandedOn && (there & tcpSeen.fin) !== 0) return 'half-closed';
  return (there & tcpSeen.ack) !== 0 && isAnswered ? 'established' : 'opening';
}

const lastsS = {
  opening: flowLasts.tcpOpening,
  established: flowLasts.tcpEstablished,
  'half-closed': flowLasts.tcpHalfClosed,
  closed: flowLasts.tcpClosed,
  datagram: flowLasts.datagram,
} as const;

/** Seconds since the entry expired; negative if it has not, as `is_over` of bpf/flow.h. @param nowNs of CLOCK_MONOTONIC */
function overForS(protocol: number, flow: Pick<Flow, 'tcp' | 'type' | 'lastNs'>, nowNs: bigint): number {
  return Number(nowNs - flow.lastNs) / 1e9 - lastsS[kindOfFlow(protocol, flow)];
}

/** The kind of an entry; null if it has expired. @param nowNs of CLOCK_MONOTONIC */
export function livesAs(
  protocol: number,
  flow: Pick<Flow, 'tcp' | 'type' | 'lastNs'>,
  nowNs: bigint,
): ReturnType<typeof kindOfFlow> | null {
  return overForS(protocol, flow, nowNs) > 0 ? null : kindOfFlow(protocol, flow);
}

/** Whether a Service's port still has this backend; `serviceId` as in the maps. */
export type HasBackend = (serviceId: number, backend: BackendAt) => boolean;

/** The backend of an entry, on the node to which its packets are sent. Left to the stack, they find the node by its routes. */
function backendOf({ type, flags, ifindex, backend, backendPort, peerNode }: Flow): BackendAt {
  const at = { address: backend, port: backendPort };
  if (type === flowTypes.handedOn) return { ...at, node: peerNode };
  return (flags & flowFlags.fromOutside) !== 0 || ifindex[0] !== 0 ? { ...at, node: 'this' } : at;
}

/**
 * Why to delete an entry, or null. A connection to a removed backend ends by itself and may finish until then. Datagrams have no visible end, so
 * their sender would stay with that backend, or with the node that it has moved away from, for as long as it sends.
 */
function whyDeleted(key: FlowKey, flow: Flow, nowNs: bigint, hasBackend: HasBackend): SweepReason | null {
  const kind = kindOfFlow(key.protocol, flow);
  if (overForS(key.protocol, flow, nowNs) > laterS) return kind;
  const isServed = kind !== 'datagram' || hasBackend(flow.serviceId, backendOf(flow));
  return isServed ? null : 'backend-gone';
}

/**
 * So many passes look at all entries; with one pass in ten seconds that takes two minutes. Entries that have been over for longer take the room of new
 * flows (bpf/conntrack.h). A pass reads a twelfth of the entries that the last round found. Where there are more now, each further pass reads half as
 * many as all passes before it, so that a table that has grown a hundredfold is read in a dozen passes too.
 */
const passes = 12;
const ofEarlier = 1 / 2;

type SweptMaps = Pick<DataPlaneMaps, 'flows' | 'neighbours'>;

/** One entry: why to delete it, if it should be, and the function that deletes it. */
type Look = { readonly because: SweepReason | null; readonly remove: () => boolean };

/**
 * Deletes expired entries of flows and of connections between pods of this node. Without it the kernel would make room only by dropping the least
 * recently used entries of the one table that allows it, which may be alive. One pass looks at a part of the entries and the next continues from there,
 * because reading a full table takes seconds.
 */
export class FlowSweep {
  readonly #maps: SweptMaps;
  readonly #hasBackend: HasBackend;
  #left: Iterator<Look> | null = null;
  /** Number of entries that this round has looked at, and that the round before it had looked at when it reached the end. */
  #looked = 0;
  #hadLooked = 0;
  /** The time of the present pass. */
  #nowNs = 0n;
  readonly removed: Record<SweepReason, number> = {
    opening: 0,
    established: 0,
    'half-closed': 0,
    closed: 0,
    datagram: 0,
    'backend-gone': 0,
  };

  constructor(maps: SweptMaps, hasBackend: HasBackend) {
    this.#maps = maps;
    this.#hasBackend = hasBackend;
  }

  /** Looks at all entries from the beginning, after a backend was removed. @throws BpfError if the kernel refuses */
  async sweepAll(nowNs: bigint, signal: AbortSignal): Promise<void> {
    this.#left = null;
    this.#looked = 0;
    await this.pass(nowNs, Number.POSITIVE_INFINITY, signal);
  }

  /**
   * Looks at so many entries at least, and at more of a large table, so that `passes` of them reach its end.
   * @param nowNs of CLOCK_MONOTONIC, the clock of the times in the maps. @throws BpfError if the kernel refuses
   */
  async pass(nowNs: bigint, leastLooks: number, signal: AbortSignal): Promise<void> {
    const isBeyond = this.#looked >= this.#hadLooked;
    const wanted = isBeyond ? this.#looked * ofEarlier : this.#hadLooked / passes;
    const mostLooks = Math.max(leastLooks, Math.ceil(wanted));
    for (let looks = 1; looks <= mostLooks; looks++) {
      this.#nowNs = nowNs;
      this.#left ??= this.#looks();
      const { done, value } = this.#left.next();
      if (done) {
        this.#left = null;
        this.#hadLooked = this.#looked;
        this.#looked = 0;
        return;
      }
      this.#looked++;
      const { because, remove } = value;
      if (because !== null && remove()) this.removed[because]++;
      await inTurns(looks, signal);
    }
  }

  /** Connections between pods are only checked for expiry: they were translated at the socket, or not at all. */
  *#looks(): Generator<Look> {
    const { flows, neighbours } = this.#maps;
    for (const [key, flow] of flows.entries())
      yield { because: whyDeleted(key, flow, this.#nowNs, this.#hasBackend), remove: () => flows.delete(key) };
    for (const [key, of] of neighbours.entries()) {
      const flow = { ...of, type: flowTypes.plain };
      const isOver = overForS(key.protocol, flow, this.#nowNs) > laterS;
      yield { because: isOver ? kindOfFlow(key.protocol, flow) : null, remove: () => neighbours.delete(key) };
    }
  }
}
