import { type DataPlaneMaps, type Flow, type FlowKey, flowTypes, protocols } from '../bpf/index.ts';
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

/** One entry of the two that each has: the one that its client sees; `null` for what is over, a datagram, or the other one. */
function kindOf({ protocol }: FlowKey, flow: Flow): 'kept' | 'ended' | null {
  if (protocol !== protocols.TCP || kindOfFlow(protocol, flow) !== 'established') return null;
  if (flow.type === flowTypes.handedOn) return 'ended';
  if (flow.type !== flowTypes.service) return null;
  return flow.peerNode === noAddress && flow.client !== flow.backend ? 'kept' : 'ended';
}

/** Gives the kernel what it can go on with. @throws BpfError where the flows cannot be read */
export function handBack({ flows }: Pick<DataPlaneMaps, 'flows'>, hand = handToHost): HandedBack {
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
