import { WebSocket } from 'undici';
import { isKubeError, type MissingRule } from '../../error.ts';
import type { Connection } from '../connection.ts';

/** A WebSocket to a subresource of a pod, still opening. If the API server refuses, rejects with its reason as a KubeError. */
export async function openSocket(
  connection: Connection,
  { path, rule }: { path: string; rule: MissingRule },
  protocols: string[],
  signal: AbortSignal,
): Promise<WebSocket> {
  const { server } = connection.access;
  if (signal.aborted) throw signal.reason;
  // undici does not report why a handshake was refused. The same request without one is refused for the same reason, in words; it
  // also renews credentials that have expired.
  await connection.text({ method: 'GET', path, rule, signal }).catch((error: unknown) => {
    if (!isKubeError(error, 'invalid')) throw error;
  });
  const { dispatcher, headers } = await connection.upgrade();
  const url = `${server.origin.replace(/^http/, 'ws')}${server.prefix}${path}`;
  const socket = new WebSocket(url, { protocols, headers: flat(headers), dispatcher });
  socket.binaryType = 'arraybuffer';
  return socket;
}

function flat(headers: Record<string, string | string[]>): [string, string][] {
  return Object.entries(headers).flatMap(([name, value]) =>
    [value].flat().map((each): [string, string] => [name, each]),
  );
}
