import { spawn } from 'node:child_process';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { peerOwners } from './peer-owners.ts';
import { whoMayConnect } from './who-may-connect.ts';

const uid = process.getuid?.() ?? -1;
const somebodyElse = 65_534;
const open: { close(): unknown }[] = [];
afterEach(() => {
  for (const one of open.splice(0)) one.close();
});

/** A server on an address of the loopback, and its connections in order. */
async function listening(host: string): Promise<{ port: number; next(): Promise<Socket> }> {
  const accepted: Socket[] = [];
  const waiting: ((socket: Socket) => void)[] = [];
  const server: Server = createServer((socket) => {
    socket.on('error', () => {});
    open.push({ close: () => socket.destroy() });
    const next = waiting.shift();
    if (next) next(socket);
    else accepted.push(socket);
  });
  open.push(server);
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen({ port: 0, host }, resolve));
  const address = server.address();
  return {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    next: async () => accepted.shift() ?? new Promise((resolve) => waiting.push(resolve)),
  };
}

const ownerOf = (accepted: Socket) =>
  peerOwners()({
    peer: { address: accepted.remoteAddress ?? '', port: accepted.remotePort ?? 0 },
    own: { address: accepted.localAddress ?? '', port: accepted.localPort ?? 0 },
  });

function dial(port: number, host: string): Socket {
  const socket = connect(port, host).on('error', () => {});
  open.push({ close: () => socket.destroy() });
  return socket;
}

/** Another user of this machine who connects and stays connected. */
function dialAsSomebodyElse(port: number, then: string): void {
  const become = `process.setgroups([]); process.setgid(${somebodyElse}); process.setuid(${somebodyElse});`;
  const script = `${become} const s = require('node:net').connect(${port}, '127.0.0.1', () => { ${then} }); s.on('error', () => {}); setTimeout(() => process.exit(), 10000)`;
  const child = spawn(process.execPath, ['-e', script], { stdio: 'ignore', cwd: '/' });
  open.push({ close: () => child.kill('SIGKILL') });
}

describe.runIf(process.platform === 'linux')('who has the other end of a connection', () => {
  test.each(['127.0.0.1', '::1', '::ffff:127.0.0.1'])('this user, to %s', async (host) => {
    const server = await listening(host === '::1' ? '::1' : '127.0.0.1').catch(() => null);
    if (server === null) return;
    dial(server.port, host);
    expect(await ownerOf(await server.next())).toEqual({ uid });
  });

  test('this user, for many at once', async () => {
    const server = await listening('127.0.0.1');
    const owners = peerOwners();
    for (let count = 0; count < 300; count++) dial(server.port, '127.0.0.1');
    const all = await Promise.all(Array.from({ length: 300 }, () => server.next()));
    const answers = await Promise.all(
      all.map((accepted) =>
        owners({
          peer: { address: accepted.remoteAddress ?? '', port: accepted.remotePort ?? 0 },
          own: { address: accepted.localAddress ?? '', port: accepted.localPort ?? 0 },
        }),
      ),
    );
    expect(answers.every((owner) => owner !== 'unlisted' && owner.uid === uid)).toBe(true);
  });

  test('this user, however long a machine without a free core takes to read', async () => {
    let clock = 0;
    const now = vi.spyOn(performance, 'now').mockImplementation(() => (clock += 60_000));
    open.push({ close: () => now.mockRestore() });
    const server = await listening('127.0.0.1');
    dial(server.port, '127.0.0.1');
    expect(await ownerOf(await server.next())).toEqual({ uid });
  });

  test.runIf(uid === 0)('somebody else', async () => {
    const server = await listening('127.0.0.1');
    dialAsSomebodyElse(server.port, '');
    expect(await ownerOf(await server.next())).toEqual({ uid: somebodyElse });
  });

  test.runIf(uid === 0)('nobody, once it is closed: not root, as the kernel has it', async () => {
    const server = await listening('127.0.0.1');
    dialAsSomebodyElse(server.port, 's.end("POST"); s.destroy()');
    const accepted = await server.next();
    await new Promise((resolve) => accepted.once('data', resolve));
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(await ownerOf(accepted)).toBe('unlisted');
  });
});

describe('who may connect', () => {
  const judge = async (owner: { uid: number } | 'unlisted') => {
    let isOwn = true;
    const peers = await whoMayConnect(async () => {
      const answer = isOwn ? { uid: 1000 } : owner;
      isOwn = false;
      return answer;
    }, 1000);
    const server = await listening('127.0.0.1');
    dial(server.port, '127.0.0.1');
    return { inForce: peers.inForce, refusal: await peers.mayConnect(await server.next()) };
  };

  test('this user and root', async () => {
    expect(await judge({ uid: 1000 })).toEqual({ inForce: true, refusal: null });
    expect(await judge({ uid: 0 })).toEqual({ inForce: true, refusal: null });
  });

  test('nobody else, and nobody whom no table names', async () => {
    expect((await judge({ uid: 1001 })).refusal).toContain('user 1001 asks');
    expect((await judge('unlisted')).refusal).toContain('Linux lists none');
  });

  test('everybody where there are no tables', async () => {
    const missing = Object.assign(new Error('no /proc'), { code: 'ENOENT' });
    expect((await whoMayConnect(() => Promise.reject(missing), 1000)).inForce).toBe(false);
    expect((await whoMayConnect(async () => 'unlisted', 1000)).inForce).toBe(false);
  });

  test('tables that somebody has made too long are tables all the same', async () => {
    expect((await whoMayConnect(() => Promise.reject(new Error('too long')), 1000)).inForce).toBe(true);
  });
});
