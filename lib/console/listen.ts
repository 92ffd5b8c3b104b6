import type { Server } from 'node:http';

const firstPort = 3000;
const portsTried = 100;

/** Loopback only: the console acts with the credentials of whoever started it. */
const address = '127.0.0.1';

/** A sentence about a port that cannot be had. */
export class PortRefused extends Error {
  override name = 'PortRefused';
}

/**
 * Listens on the port that was asked for, else on 3000 or the next free one. Answers the port and, where it is not the usual one, that 3000 was taken.
 * Port 0 takes any.
 */
export async function listen(
  server: Server,
  asked: number | null,
  first: number = firstPort,
): Promise<{ port: number; instead: 'as-asked' | 'next-free' }> {
  if (asked !== null) {
    const refused = await tryPort(server, asked);
    if (refused === 'EADDRINUSE')
      throw new PortRefused(
        `Port ${asked} is taken by another program. Name another one, or leave --port out for the next free one.`,
      );
    if (refused === 'EACCES') throw new PortRefused(`Port ${asked} is for root only. Name one from 1024 on.`);
    if (refused !== null) throw new PortRefused(`Port ${asked} cannot be used (${refused}).`);
    return { port: portOf(server), instead: 'as-asked' };
  }
  for (let port = first; port < first + portsTried; port++) {
    const refused = await tryPort(server, port);
    if (refused === null) return { port, instead: port === first ? 'as-asked' : 'next-free' };
    if (refused !== 'EADDRINUSE' && refused !== 'EACCES')
      throw new PortRefused(`Nothing can listen on ${address} here (${refused}).`);
  }
  throw new PortRefused(`Ports ${first} to ${first + portsTried - 1} are all taken. Name a free one with --port.`);
}

/** Null, or the code of the error. */
function tryPort(server: Server, port: number): Promise<string | null> {
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
    server.listen(port, address);
  });
}

function portOf(server: Server): number {
  const bound = server.address();
  return typeof bound === 'object' && bound !== null ? bound.port : 0;
}
