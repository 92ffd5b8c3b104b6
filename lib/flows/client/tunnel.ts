import { rename, rm } from 'node:fs/promises';
import { connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { type Duplex, pipeline } from 'node:stream';
import { temporaryFolder, temporaryFolders } from '#lib/folders/index.ts';

export type Tunnel = {
  /** The address for a client to dial: `unix:…`. */
  readonly address: string;
  /** Why the last connection failed or broke; null if none did. */
  fault(): unknown;
  close(): Promise<void>;
};

/**
 * Leads a library that can only dial addresses to connections that are opened differently. Uses a socket in a folder that only this user can enter,
 * because all users of the machine can reach a port on loopback. Calls `open` once per connection on which something was said.
 */
export async function openTunnel(open: () => Promise<Duplex>): Promise<Tunnel> {
  await removeLeft();
  const folder = await temporaryFolder(name);
  const path = join(folder.path, socketName);
  const sockets = new Set<Socket>();
  let fault: unknown = null;
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined).once('close', () => sockets.delete(socket));
    // A client speaks first. Who only looks whether somebody listens says nothing.
    socket.once('data', (first) => {
      socket.pause();
      socket.unshift(first);
      lead(socket);
    });
  });
  const lead = (socket: Socket) =>
    void open().then(
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
  try {
    const early = join(folder.path, 'n');
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject).listen(early, resolve);
    });
    // So that nobody finds a socket of this name to which nobody listens yet.
    await rename(early, path);
  } catch (error) {
    server.close();
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

const name = 'flows';
const socketName = 's';

/** Removes the folders of processes that were killed: nobody listens to their sockets. */
async function removeLeft(): Promise<void> {
  for (const folder of await temporaryFolders(name))
    if (await isLeft(join(folder, socketName)))
      await rm(folder, { recursive: true, force: true }).catch(() => undefined);
}

/** Whether there is a socket of this path, and no process that listens to it. */
function isLeft(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path);
    socket.once('connect', () => {
      socket.destroy();
      resolve(false);
    });
    socket.once('error', (error) => resolve('code' in error && error.code === 'ECONNREFUSED'));
  });
}

/** Whether the error only says that the other side was destroyed, which is not the cause. */
function isEarlyEnd(error: Error): boolean {
  return 'code' in error && (error.code === 'ERR_STREAM_PREMATURE_CLOSE' || error.code === 'ERR_STREAM_DESTROYED');
}
