import { createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { type Duplex, pipeline } from 'node:stream';
import { temporaryFolder } from '#lib/folders/index.ts';

export type Tunnel = {
  /** The address for a client to dial: `unix:…`. */
  readonly address: string;
  /** Why the last connection failed or broke; null if none did. */
  fault(): unknown;
  close(): Promise<void>;
};

/**
 * Leads a library that can only dial addresses to connections that are opened differently. Uses a socket in a folder that only this user can enter,
 * because all users of the machine can reach a port on loopback. Calls `open` once per connection.
 */
export async function openTunnel(open: () => Promise<Duplex>): Promise<Tunnel> {
  const folder = await temporaryFolder('flows');
  const path = join(folder.path, 's');
  const sockets = new Set<Socket>();
  let fault: unknown = null;
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined).once('close', () => sockets.delete(socket));
    open().then(
      (far) => {
        if (socket.destroyed) {
          far.on('error', () => undefined).destroy();
          return;
        }
        const ended = (error?: Error | null) => {
          if (error && !isEarlyEnd(error)) fault = error;
          socket.destroy();
          far.destroy();
        };
        far.on('error', ended);
        pipeline(socket, far, ended);
        pipeline(far, socket, ended);
      },
      (error: unknown) => {
        fault = error;
        socket.destroy();
      },
    );
  });
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject).listen(path, resolve);
    });
  } catch (error) {
    await folder.remove();
    throw error;
  }
  return {
    address: `unix:${path}`,
    fault: () => fault,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
      });
      await folder.remove();
    },
  };
}

/** Whether the error only says that the other side was destroyed, which is not the cause. */
function isEarlyEnd(error: Error): boolean {
  return 'code' in error && (error.code === 'ERR_STREAM_PREMATURE_CLOSE' || error.code === 'ERR_STREAM_DESTROYED');
}
