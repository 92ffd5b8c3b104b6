import {
  configFlags,
  type DataPlaneMaps,
  type Flow,
  type FlowKey,
  flowTypes,
  type Neighbours,
  protocols,
} from '../bpf/index.ts';
import { handToHost, type Translated } from '../host/host-connections.ts';
import { noAddress } from '../services/map-address.ts';
import { kindOfFlow } from '../sync/sweep-flows.ts';

/** What becomes of the connections (TCP) that the programs translate packet by packet when they are taken away. */
export type HandedBack = {
  /** The kernel's own tracking goes on with these, as long as somebody has chains of type nat. */
  readonly kept: number;
  /** These end: they go to or come from another node by our tunnel, or are a pod's to itself. */
  readonly ended: number;
};

/** One that is still opening is to open: nobody else knows where its first packet went. */
const isAlive: Readonly<Record<ReturnType<typeof kindOfFlow>, boolean>> = {
  ...{ opening: true, established: true },
  ...{ 'half-closed': false, closed: false, datagram: false },
};

/** One entry of the two that each has: the one that its client sees; `null` for what is over, a datagram, or the other one. */
function kindOf({ protocol }: FlowKey, flow: Flow): 'kept' | 'ended' | null {
  if (protocol !== protocols.TCP || !isAlive[kindOfFlow(protocol, flow)]) return null;
  if (flow.type === flowTypes.handedOn) return 'ended';
  if (flow.type !== flowTypes.service) return null;
  return flow.peerNode === noAddress && flow.client !== flow.backend ? 'kept' : 'ended';
}

/** Told of these, the kernel gives no other connection their ports when it translates: the two would look the same to their backend. */
function asTheyAre([{ a, aPort, b, bPort, protocol }, { tcp }]: readonly [FlowKey, Neighbours]): Translated[] {
  if (!isAlive[kindOfFlow(protocol, { tcp, type: flowTypes.plain })]) return [];
  const to = { service: b, servicePort: bPort, backend: b, backendPort: bPort };
  return [{ client: a, clientPort: aPort, seenPort: aPort, ...to }];
}

/**
 * Gives the kernel what it can go on with. From now on whoever serves beside the programs gets what begins: there would be more of them for as long as they are
 * being handed over.
 * @throws BpfError where the flows cannot be read
 */
export function handBack(
  { flows, neighbours, config }: Pick<DataPlaneMaps, 'flows' | 'neighbours' | 'config'>,
  hand = handToHost,
): HandedBack {
  const known = config.get(0);
  if (known) config.set(0, { ...known, flags: known.flags | configFlags.leaving });
  hand([...neighbours.entries()].flatMap(asTheyAre));
  const kept: Translated[] = [];
  let ended = 0;
  for (const [key, flow] of flows.entries()) {
    const kind = kindOf(key, flow);
    if (kind === 'ended') ended++;
    if (kind !== 'kept') continue;
    const { client, clientPort, service, servicePort, backend, backendPort, snatPort: seenPort } = flow;
    kept.push({ client, clientPort, service, servicePort, backend, backendPort, seenPort });
  }
  const taken = hand(kept);
  return { kept: taken, ended: ended + kept.length - taken };
}
