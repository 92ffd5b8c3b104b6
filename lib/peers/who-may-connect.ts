import { connect, createServer, type Socket } from 'node:net';
import type { PeerOwners } from './peer-owners.ts';

/** Returns a sentence for the client, or null if it may connect. */
export type WhoMayConnect = (socket: Socket) => Promise<string | null>;

/** Root can read this process' memory anyway, and root's programs (such as a port forward) connect for users that they have let in. */
const root = 0;

/**
 * On Linux only this user and root may connect, so a stolen cookie is useless to other users. `inForce` is false if the kernel's tables do not even
 * show our own connections, as on other systems; then everybody on this machine may connect.
 */
export async function whoMayConnect(
  owners: PeerOwners,
  uid: number,
): Promise<{ readonly inForce: boolean; readonly mayConnect: WhoMayConnect }> {
  if (!(await showsOurOwn(owners, uid))) return { inForce: false, mayConnect: async () => null };
  return {
    inForce: true,
    mayConnect: async (socket) => {
      const owner = await ownerOf(socket, owners).catch(() => 'unlisted' as const);
      if (owner === 'unlisted')
        return 'This console answers programs of this machine only, and Linux lists none that asks. A browser outside of a virtual machine or container is such a case: open the console from inside.';
      if (owner.uid === uid || owner.uid === root) return null;
      return `This console belongs to user ${uid} of this machine, and user ${owner.uid} asks. Start the console as the user whose browser opens it.`;
    },
  };
}

async function ownerOf(socket: Socket, owners: PeerOwners) {
  const { remoteAddress, remotePort, localAddress, localPort } = socket;
  if (remoteAddress === undefined || remotePort === undefined || localAddress === undefined || localPort === undefined)
    return 'unlisted';
  return owners({
    peer: { address: remoteAddress, port: remotePort },
    own: { address: localAddress, port: localPort },
  });
}

/** Errors that mean that there are no tables: no Linux, or no /proc. */
const withoutTables: ReadonlySet<string> = new Set(['ENOENT', 'EACCES', 'EPERM']);

/** Tested once, by a connection from this process to itself. Tables that are too long to be read still count as tables. */
async function showsOurOwn(owners: PeerOwners, uid: number): Promise<boolean> {
  const server = createServer();
  const accepted = new Promise<Socket>((resolve) => server.once('connection', resolve));
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const address = server.address();
  const dialled = connect(typeof address === 'object' && address !== null ? address.port : 0, '127.0.0.1');
  try {
    const owner = await ownerOf(await accepted, owners);
    return owner !== 'unlisted' && owner.uid === uid;
  } catch (error) {
    return !withoutTables.has((error as NodeJS.ErrnoException).code ?? '');
  } finally {
    dialled.destroy();
    (await accepted).destroy();
    server.close();
  }
}
