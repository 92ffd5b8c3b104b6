import { isIP } from 'node:net';
import { orAborted } from '#lib/base/async/or-aborted.ts';
import { hostAndPort, withoutBrackets } from '#lib/base/ip.ts';
import type { DialResult, EndpointProbe, LeftAlone, ProbeOptions, ResolvedName } from '../../port.ts';
import type { Connection } from '../connection.ts';
import { joinSignals } from '../wire/deadline.ts';
import { askReady } from './ask-ready.ts';
import { dial, latencyOf, type OpenSocket } from './dial.ts';
import { handshake } from './handshake.ts';
import { type NameServices, resolveName, thisMachine } from './resolve-name.ts';
import { type AddressRule, noLocalAddress, type OwnServer, whomToDial, written } from './whom-to-dial.ts';

const longestMs = 5_000;
/** Most addresses of the endpoint's name, and most API servers beside it. No cluster needs more; a longer list could be an attack. */
const mostOfEach = 8;

/** Services of the machine that a probe uses. */
export type ProbeUses = NameServices & { mayNotDial?: AddressRule };

/**
 * Connects to an address as the data plane would: resolves the name, connects, verifies the certificate with the cluster's authorities and requests
 * /readyz. At the same time it connects to each API server behind the address. The addresses come from the cluster, not from the kubeconfig, so no
 * credential, client certificate or plug-in is used, and no proxy, which would resolve names itself. A name is resolved once, and exactly the checked
 * addresses are dialled (`whomToDial`). Takes at most 5 s in all.
 */
export async function probe(
  connection: Connection,
  endpoint: { host: string; port: number },
  options: ProbeOptions,
  uses: ProbeUses = thisMachine,
): Promise<EndpointProbe> {
  const limitMs = Math.min(options.timeoutMs ?? longestMs, longestMs);
  const ending = joinSignals(options.signal, connection.closed, AbortSignal.timeout(limitMs));
  const { signal } = ending;
  const host = withoutBrackets(endpoint.host);
  try {
    const [own, name] = await Promise.all([ownServer(connection, signal, uses), resolveName(host, signal, uses)]);
    const { authorities } = connection.access;
    const trip: Trip = { authorities, own, rule: uses.mayNotDial ?? noLocalAddress, signal, limitMs };
    const [itself, behind] = await Promise.all([
      probeEndpoint(trip, { host, port: endpoint.port, name }),
      probeServers(trip, options.servers ?? []),
    ]);
    const { leftAlone, dialled, ...seen } = itself;
    return {
      ...seen,
      servers: behind.servers,
      dialled: [...new Set([...dialled, ...behind.servers.map(({ address }) => address)])],
      leftAlone: [...leftAlone, ...behind.leftAlone],
    };
  } finally {
    ending.dispose();
  }
}

type Trip = {
  readonly authorities: string | null;
  readonly own: OwnServer;
  readonly rule: AddressRule;
  readonly signal: AbortSignal;
  readonly limitMs: number;
};

async function ownServer(connection: Connection, signal: AbortSignal, { lookup }: NameServices): Promise<OwnServer> {
  const { hostname, port, protocol } = new URL(connection.access.server.origin);
  const host = withoutBrackets(hostname);
  const at = Number(port || (protocol === 'https:' ? 443 : 80));
  if (connection.route() === 'proxy') return { addresses: [], port: at };
  if (isIP(host) !== 0) return { addresses: [host], port: at };
  return { addresses: await orAborted(lookup(host), signal).catch(() => []), port: at };
}

type Named = { readonly host: string; readonly port: number; readonly name: ResolvedName };

async function probeEndpoint(trip: Trip, { host, port, name }: Named): Promise<Omit<EndpointProbe, 'servers'>> {
  const alone = { name, latency: null, dialled: [], leftAlone: [] };
  if (!name.resolved) return { ...alone, ...notDialled('the name is not resolved') };
  const targets = name.addresses.map((address) => ({ address, port }));
  const { dial: chosen, leftAlone } = whomToDial(targets, { ...trip, most: mostOfEach });
  if (chosen.length === 0) return { ...alone, leftAlone, ...leftAside(leftAlone) };
  const dialled = chosen.map(written);
  const addresses = chosen.map(({ address }) => address);
  const reached = await dial(addresses, port, trip.signal, trip.limitMs);
  if ('because' in reached) return { name, latency: null, dialled, leftAlone, ...notDialled(reached.because) };
  const [seen, latency] = await Promise.all([inspect(trip, reached, host), latencyOf(reached, port, trip.signal)]);
  return { name, latency, dialled, leftAlone, ...seen };
}

async function probeServers(
  trip: Trip,
  named: readonly { host: string; port: number }[],
): Promise<Pick<EndpointProbe, 'servers' | 'leftAlone'>> {
  const targets = named.map(({ host, port }) => ({ address: host, port }));
  const { dial: chosen, leftAlone } = whomToDial(targets, { ...trip, most: mostOfEach });
  const servers = await Promise.all(
    chosen.map(async (target) => {
      const reached = await dial([target.address], target.port, trip.signal, trip.limitMs);
      const seen = 'because' in reached ? notDialled(reached.because) : await inspect(trip, reached, target.address);
      return { address: written(target), ...seen };
    }),
  );
  return { servers, leftAlone };
}

function notDialled(because: string): DialResult {
  return { connection: { made: false, because }, certificate: null, ready: null };
}

function leftAside(leftAlone: readonly LeftAlone[]): DialResult {
  const because = leftAlone.map((one) => `${one.address} ${one.because}`).join('; ') || 'no address was found';
  return { connection: { made: false, because, notTested: true }, certificate: null, ready: null };
}

async function inspect(
  { authorities, signal, limitMs }: Trip,
  { socket, latencyMs }: OpenSocket,
  host: string,
): Promise<DialResult> {
  const made = { made: true, latencyMs } as const;
  try {
    const { certificate, verified } = await handshake(socket, host, authorities, signal, limitMs);
    const ready = verified === null ? null : await askReady(verified, hostHeader(host, socket.remotePort), signal);
    return { connection: made, certificate, ready };
  } finally {
    socket.destroy();
  }
}

function hostHeader(host: string, port: number | undefined): string {
  return hostAndPort({ host, port: port ?? 443 });
}
