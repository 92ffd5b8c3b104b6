import { connect as connectTcp, type Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { orAborted } from '#lib/base/async/or-aborted.ts';
import { codeOf } from '../secret.ts';

export type OpenSocket = { socket: Socket; address: string; latencyMs: number };

/** The phrase for an address that did not answer within `limitMs` milliseconds. */
export const notInTime = (limitMs: number) => `no answer within ${limitMs / 1000} s`;

/** Dials all addresses at once and keeps the first connection, so that an address that drops packets does not use up the time of the others. */
export async function dial(
  addresses: readonly string[],
  port: number,
  signal: AbortSignal,
  limitMs: number,
): Promise<OpenSocket | { because: string }> {
  const settled = new AbortController();
  const tries = addresses.map((address) => connect(address, port, AbortSignal.any([signal, settled.signal])));
  try {
    const reached = await Promise.any(tries);
    settled.abort();
    // Close others that connected at the same time.
    for (const one of await Promise.allSettled(tries)) {
      if (one.status === 'fulfilled' && one.value !== reached) one.value.socket.destroy();
    }
    return reached;
  } catch (error) {
    if (signal.aborted) return { because: notInTime(limitMs) };
    const [first] = error instanceof AggregateError ? error.errors : [error];
    return { because: dialSentence(codeOf(first), limitMs) };
  }
}

async function connect(address: string, port: number, signal: AbortSignal): Promise<OpenSocket> {
  const startedAt = performance.now();
  const socket = connectTcp({ host: address, port });
  try {
    await happens(socket, 'connect', signal);
    return { socket, address, latencyMs: tenths(performance.now() - startedAt) };
  } catch (error) {
    socket.destroy();
    throw error;
  }
}

/** Minimum and median over three connections, the first of which exists already. */
export async function latencyOf(
  { address, latencyMs }: OpenSocket,
  port: number,
  signal: AbortSignal,
): Promise<{ minMs: number; medianMs: number }> {
  const measured = [latencyMs];
  for (let more = 0; more < 2; more++) {
    try {
      const again = await connect(address, port, signal);
      again.socket.destroy();
      measured.push(again.latencyMs);
    } catch {
      break;
    }
  }
  const sorted = measured.toSorted((one, other) => one - other);
  return { minMs: sorted[0] ?? latencyMs, medianMs: sorted[Math.floor(sorted.length / 2)] ?? latencyMs };
}

/** Waits for an event of a socket. Rejects on an error, on its end or when the signal aborts. */
export function happens(
  socket: Socket | TLSSocket,
  name: 'connect' | 'secureConnect',
  signal: AbortSignal,
): Promise<void> {
  return orAborted(
    new Promise((resolve, reject) => {
      socket.once(name, () => resolve());
      socket.on('error', reject);
      socket.once('close', () => reject(new Error('closed')));
    }),
    signal,
  );
}

function tenths(milliseconds: number): number {
  return Math.round(milliseconds * 10) / 10;
}

function dialSentence(code: string | null, limitMs: number): string {
  switch (code) {
    case 'ECONNREFUSED':
      return 'the connection was refused: nothing listens there';
    case 'ECONNRESET':
      return 'the connection was cut as soon as it was made';
    case 'EHOSTUNREACH':
    case 'ENETUNREACH':
      return 'there is no route to it';
    case 'ETIMEDOUT':
      return notInTime(limitMs);
    default:
      return `no connection (${code ?? 'no reason given'})`;
  }
}
