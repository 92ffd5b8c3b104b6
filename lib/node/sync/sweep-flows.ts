import { type DataPlaneMaps, type Flow, type FlowKey, flowLasts, flowTypes, protocols, tcpSeen } from '../bpf/index.ts';
import { inTurns } from './in-turns.ts';

/** Why an entry was taken out: it was without a packet for longer than flows of its kind last, or its backend went. */
export type SweepReason = 'opening' | 'established' | 'half-closed' | 'closed' | 'datagram' | 'backend-gone';

/** The kernel takes an entry that is over for none; it is deleted only later, so that none is that just got a packet. */
const laterS = 30;

/** What counts for a flow's time, as `lasts_s` of bpf/flow.h has it. */
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

/** How long it has been over by its time, in seconds; below 0 it is not yet, as `is_over` of bpf/flow.h has it. @param nowNs of CLOCK_MONOTONIC */
function overForS(protocol: number, flow: Pick<Flow, 'tcp' | 'type' | 'lastNs'>, nowNs: bigint): number {
  return Number(nowNs - flow.lastNs) / 1e9 - lastsS[kindOfFlow(protocol, flow)];
}

/** What it is, unless it is over by its time; then null. @param nowNs of CLOCK_MONOTONIC */
export function livesAs(
  protocol: number,
  flow: Pick<Flow, 'tcp' | 'type' | 'lastNs'>,
  nowNs: bigint,
): ReturnType<typeof kindOfFlow> | null {
  return overForS(protocol, flow, nowNs) > 0 ? null : kindOfFlow(protocol, flow);
}

/** Whether a Service's port still has this backend; `serviceId` as in the maps. */
export type HasBackend = (serviceId: number, backend: { readonly address: string; readonly port: number }) => boolean;

/**
 * A connection to a backend that went ends by itself, and may be drained until then; a datagram has no end that anybody hears of, so that its sender would be kept
 * there for as long as it sends.
 */
function whyGone(key: FlowKey, flow: Flow, nowNs: bigint, hasBackend: HasBackend): SweepReason | null {
  const kind = kindOfFlow(key.protocol, flow);
  if (overForS(key.protocol, flow, nowNs) > laterS) return kind;
  const isKept = kind !== 'datagram' || hasBackend(flow.serviceId, { address: flow.backend, port: flow.backendPort });
  return isKept ? null : 'backend-gone';
}

type SweptMaps = Pick<DataPlaneMaps, 'flows' | 'neighbours'>;

/** One entry: why it is over, if it is, and how to take it out. */
type Look = { readonly because: SweepReason | null; readonly remove: () => boolean };

/**
 * Takes out of the table of flows what is over, and out of that of connections between pods of this node: the kernel makes room only by what was used
 * longest ago, which may live. A pass looks at so many entries at most and the next one goes on from there, since a full table takes seconds to read.
 */
export class FlowSweep {
  readonly #maps: SweptMaps;
  readonly #hasBackend: HasBackend;
  #left: Iterator<Look> | null = null;
  /** Of the pass that goes on. */
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

  /** All of it, from its beginning: a backend went, and nobody is to be kept there. @throws BpfError where the kernel refuses */
  async whole(nowNs: bigint, signal: AbortSignal): Promise<void> {
    this.#left = null;
    await this.pass(nowNs, Number.POSITIVE_INFINITY, signal);
  }

  /** @param nowNs of CLOCK_MONOTONIC, which the kernel's times are of. @throws BpfError where the kernel refuses */
  async pass(nowNs: bigint, mostLooks: number, signal: AbortSignal): Promise<void> {
    for (let looks = 1; looks <= mostLooks; looks++) {
      this.#nowNs = nowNs;
      this.#left ??= this.#looks();
      const { done, value } = this.#left.next();
      if (done) {
        this.#left = null;
        return;
      }
      const { because, remove } = value;
      if (because !== null && remove()) this.removed[because]++;
      await inTurns(looks, signal);
    }
  }

  /** Of connections between pods only their time counts: they were translated at the socket, or not at all. */
  *#looks(): Generator<Look> {
    const { flows, neighbours } = this.#maps;
    for (const [key, flow] of flows.entries())
      yield { because: whyGone(key, flow, this.#nowNs, this.#hasBackend), remove: () => flows.delete(key) };
    for (const [key, of] of neighbours.entries()) {
      const flow = { ...of, type: flowTypes.plain };
      const isOver = overForS(key.protocol, flow, this.#nowNs) > laterS;
      yield { because: isOver ? kindOfFlow(key.protocol, flow) : null, remove: () => neighbours.delete(key) };
    }
  }
}
