import type { Server } from 'node:net';

const firstPort = 3000;
const portsTried = 100;

/**
 * Loopback only, because the servers act with the credentials of their user. Both addresses, because Chromium tries `[::1]` before 127.0.0.1 for a name under
 * `localhost`: another program listening there would get the session cookie.
 */
const addresses = { ipv4: '127.0.0.1', ipv6: '::1' } as const;

/** One server for each address; they share their handler. */
export type LoopbackServers<One extends Server = Server> = Readonly<Record<keyof typeof addresses, One>>;

/** The port cannot be used. The message is a sentence. */
export class PortRefused extends Error {
  override name = 'PortRefused';
}

/**
 * Listens on the requested port, or on 3000 or the next port that is free at both addresses. Returns the port and, if it is not the usual one, that 3000 was
 * taken. Port 0 takes any. On a machine without IPv6 it listens on 127.0.0.1 only.
 */
export async function listen(
  servers: LoopbackServers,
  requested: number | null,
  first: number = firstPort,
): Promise<{ port: number; instead: 'as-asked' | 'next-free' }> {
  if (requested === 0) return { port: await anyPort(servers), instead: 'as-asked' };
  if (requested !== null) {
    const refused = await tryPort(servers, requested);
    if (refused === null) return { port: requested, instead: 'as-asked' };
    if (refused === 'EADDRINUSE')
      throw new PortRefused(
        `Port ${requested} is taken by another program. Name another one, or leave --port out for the next free one.`,
      );
    if (refused === 'EACCES') throw new PortRefused(`Port ${requested} is for root only. Name one from 1024 on.`);
    throw new PortRefused(`Port ${requested} cannot be used (${refused}).`);
  }
  for (let port = first; port < first + portsTried; port++) {
    const refused = await tryPort(servers, port);
    if (refused === null) return { port, instead: port === first ? 'as-asked' : 'next-free' };
    if (!isTaken(refused)) throw new PortRefused(`Nothing can listen on ${addresses.ipv4} here (${refused}).`);
  }
  throw new PortRefused(`Ports ${first} to ${first + portsTried - 1} are all taken. Name a free one with --port.`);
}

/** Tries ports that the system picks at 127.0.0.1, because they may be taken at the other address. */
async function anyPort(servers: LoopbackServers): Promise<number> {
  for (let tries = 0; tries < portsTried; tries++) {
    const refused = await tryPort(servers, 0);
    if (refused === null) return portOf(servers.ipv4);
    if (!isTaken(refused)) throw new PortRefused(`Nothing can listen on ${addresses.ipv4} here (${refused}).`);
  }
  throw new PortRefused(`No port of ${portsTried} that were tried is free. Name a free one with --port.`);
}

/** Null: both listen. Otherwise the error's code, and neither listens. */
async function tryPort({ ipv4, ipv6 }: LoopbackServers, port: number): Promise<string | null> {
  const refused = await bind(ipv4, port, addresses.ipv4);
  if (refused !== null) return refused;
  const beside = await bind(ipv6, portOf(ipv4), addresses.ipv6);
  if (beside === null || isWithoutIpv6(beside)) return null;
  await new Promise((closed) => ipv4.close(closed));
  return beside;
}

/** Whether the address does not exist or the kernel has no IPv6, so that no other program can listen there either. */
function isWithoutIpv6(code: string): boolean {
  return code === 'EADDRNOTAVAIL' || code === 'EAFNOSUPPORT' || code === 'EPROTONOSUPPORT';
}

function isTaken(code: string): boolean {
  return code === 'EADDRINUSE' || code === 'EACCES';
}

/** Null, or the error's code. */
function bind(server: Server, port: number, host: string): Promise<string | null> {
  return new Promise((resolve) => {
    const failed = (error: NodeJS.ErrnoException) => {
      server.off('listening', listening);
      resolve(error.code ?? error.message);
    };
    const listening = () => {
      server.off('error', failed);
      resolve(null);
    };
    server.once('error', failed);
    server.once('listening', listening);
    server.listen({ port, host, ipv6Only: true });
  });
}

function portOf(server: Server): number {
  const bound = server.address();
  return typeof bound === 'object' && bound !== null ? bound.port : 0;
}
