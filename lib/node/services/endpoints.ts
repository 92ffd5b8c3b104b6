import type { Family } from '#lib/base/ip.ts';
import { isPort } from '#lib/base/network/ports.ts';
import type { endpointSliceOf } from '#lib/kube/index.ts';
import { familyOf, type MapAddress, readUsableAddress } from './map-address.ts';

export type ReadSlice = ReturnType<typeof endpointSliceOf>;

/** The part of a slice that the agent keeps. */
export type TrimmedSlice = Pick<ReadSlice, 'addressType' | 'endpoints' | 'ports'>;

/** One endpoint of a port in EndpointSlices. `zones` and `nodes` are its hints, the zones and nodes for which it is meant; empty without hints. */
export type Endpoint = {
  readonly address: MapAddress;
  readonly port: number;
  readonly nodeName: string | null;
  readonly ready: boolean;
  readonly serving: boolean;
  readonly terminating: boolean;
  readonly zones: readonly string[];
  readonly nodes: readonly string[];
};

const addressTypes: Readonly<Record<Family, string>> = { 4: 'IPv4', 6: 'IPv6' };

/**
 * The endpoints of one port of a Service, each address and port once, in a stable order. While the controller moves an endpoint, two slices may
 * contain it (EndpointSlices › Duplicate endpoints): ready in one of them counts as ready. Slices of type FQDN are ignored. Only the first address of
 * an endpoint counts: the others mean the same pod and must be ignored (EndpointSlice API, `endpoints[].addresses`).
 */
export function endpointsOfPort(
  slices: readonly TrimmedSlice[],
  { name, protocol, family }: { readonly name: string; readonly protocol: string; readonly family: Family },
): Endpoint[] {
  const found = new Map<string, Endpoint>();
  for (const slice of slices) {
    if (slice.addressType !== addressTypes[family]) continue;
    for (const port of slice.ports) {
      if ((port.name ?? '') !== name || (port.protocol ?? 'TCP') !== protocol || !isPort(port.port)) continue;
      for (const one of slice.endpoints) {
        const address = readUsableAddress(one.addresses[0] ?? '');
        if (address === null || familyOf(address) !== family) continue;
        const { ready, serving, terminating } = readiness(one.conditions);
        const endpoint: Endpoint = {
          address,
          port: port.port,
          nodeName: one.nodeName,
          ready,
          serving,
          terminating,
          zones: namesOf(one.hints.forZones),
          nodes: namesOf(one.hints.forNodes),
        };
        const key = `${address}/${port.port}`;
        const known = found.get(key);
        if (known === undefined || rank(endpoint) > rank(known)) found.set(key, endpoint);
      }
    }
  }
  const order = [...found.keys()].sort();
  return order.map((key) => found.get(key)).filter((one) => one !== undefined);
}

const noNames: readonly string[] = [];

/** Without hints, the usual case, all share one list: tens of thousands of endpoints are held in memory. */
const namesOf = (all: readonly { readonly name: string }[]) => (all.length > 0 ? all.map(({ name }) => name) : noNames);

/** An unset `ready` means true, an unset `terminating` false, an unset `serving` the same as `ready` (KEP-1672, EndpointConditions). */
function readiness({
  ready,
  serving,
  terminating,
}: {
  ready: boolean | null;
  serving: boolean | null;
  terminating: boolean | null;
}): Pick<Endpoint, 'ready' | 'serving' | 'terminating'> {
  return { ready: ready ?? true, serving: serving ?? ready ?? true, terminating: terminating ?? false };
}

const rank = ({ ready, serving }: Endpoint) => (ready ? 2 : 0) + (serving ? 1 : 0);
