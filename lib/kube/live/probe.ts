import { isIP } from 'node:net';
import type { Dialled, EndpointProbe, ProbeOptions } from '../port.ts';
import type { Connection } from './connection.ts';
import { askReady } from './probing/ask-ready.ts';
import { dial, latencyOf, type Reached } from './probing/dial.ts';
import { handshake } from './probing/handshake.ts';
import { type NameServices, resolveName, thisMachine } from './probing/resolve-name.ts';
import { joinSignals } from './wire/deadline.ts';

const longestMs = 5_000;
/** A cluster with more API servers than this shows what it has to show in these. */
const mostServers = 16;

/**
 * Dials an address as the data plane would: name, connection, certificate against the cluster's authorities, then /readyz with this
 * cluster's credentials; and beside it, at the same time, each API server that stands behind it. The first handshake carries no client
 * certificate and nothing is sent on it; credentials go only over a second connection that verifies. All of it together ends within 5 s.
 */
export async function probe(
  connection: Connection,
  endpoint: { host: string; port: number },
  options: ProbeOptions,
  services: NameServices = thisMachine,
): Promise<EndpointProbe> {
  const limitMs = Math.min(options.timeoutMs ?? longestMs, longestMs);
  const ending = joinSignals(options.signal, connection.closed, AbortSignal.timeout(limitMs));
  const trip: Trip = { connection, signal: ending.signal, limitMs };
  const host = endpoint.host.replace(/^\[|\]$/g, '');
  try {
    const [itself, servers] = await Promise.all([
      probeEndpoint(trip, host, endpoint.port, services),
      Promise.all((options.servers ?? []).slice(0, mostServers).map((server) => probeServer(trip, server))),
    ]);
    return { ...itself, servers };
  } finally {
    ending.dispose();
  }
}

type Trip = { readonly connection: Connection; readonly signal: AbortSignal; readonly limitMs: number };

async function probeEndpoint(
  trip: Trip,
  host: string,
  port: number,
  services: NameServices,
): Promise<Omit<EndpointProbe, 'servers'>> {
  const name = await resolveName(host, trip.signal, services);
  if (!name.resolved) return { name, latency: null, ...notDialled('the name is not resolved') };
  const reached = await dial(name.addresses, port, trip.signal, trip.limitMs);
  if ('because' in reached) return { name, latency: null, ...notDialled(reached.because) };
  const [seen, latency] = await Promise.all([
    inspect(trip, reached, host, port),
    latencyOf(reached, port, trip.signal),
  ]);
  return { name, latency, ...seen };
}

async function probeServer(trip: Trip, { host, port }: { host: string; port: number }) {
  const address = `${isIP(host) === 6 ? `[${host}]` : host}:${port}`;
  const reached = await dial([host], port, trip.signal, trip.limitMs);
  if ('because' in reached) return { address, ...notDialled(reached.because) };
  return { address, ...(await inspect(trip, reached, host, port)) };
}

function notDialled(because: string): Dialled {
  return { connection: { made: false, because }, certificate: null, ready: null };
}

async function inspect(
  { connection, signal, limitMs }: Trip,
  { socket, address, latencyMs }: Reached,
  host: string,
  port: number,
): Promise<Dialled> {
  const made = { made: true, latencyMs } as const;
  const certificate = await handshake(socket, host, connection.access.authorities, signal, limitMs);
  const ready = certificate.verified ? await askReady(connection, { host, address, port }, signal, limitMs) : null;
  return { connection: made, certificate, ready };
}
