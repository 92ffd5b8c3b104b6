import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect, createServer as createSquatter, type Server as Squatter } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { type LoopbackServers, listen, PortRefused } from './loopback.ts';

const servers: (Server | Squatter)[] = [];
const aPair = (): LoopbackServers => {
  const pair = { ipv4: createServer(), ipv6: createServer() };
  servers.push(pair.ipv4, pair.ipv6);
  return pair;
};
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

const hasIpv6 = await new Promise<boolean>((resolve) => {
  const probe = createSquatter();
  probe.once('error', () => resolve(false));
  probe.listen(0, '::1', () => probe.close(() => resolve(true)));
});

/** Somebody else's program at one address of the loopback. */
async function squat(host: string, port: number): Promise<number> {
  const server = createSquatter((socket) => socket.end('squatted'));
  servers.push(server);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host, port, ipv6Only: true }, resolve);
  });
  return (server.address() as AddressInfo).port;
}

test('any port, on the loopback addresses only', async () => {
  const pair = aPair();
  const { port } = await listen(pair, 0);
  expect(pair.ipv4.address()).toMatchObject({ address: '127.0.0.1', port });
  if (hasIpv6) expect(pair.ipv6.address()).toMatchObject({ address: '::1', port });
});

test('a port that was asked for and is taken is refused with a sentence', async () => {
  const { port } = await listen(aPair(), 0);
  const refused = listen(aPair(), port);
  await expect(refused).rejects.toThrow(PortRefused);
  await expect(refused).rejects.toThrow(`Port ${port} is taken by another program.`);
});

test('without a wish, the first free one from there on, said so', async () => {
  const { port } = await listen(aPair(), 0);
  const next = await listen(aPair(), null, port);
  expect(next.instead).toBe('next-free');
  expect(next.port).toBeGreaterThan(port);
  expect(next.port).toBeLessThan(port + 100);
});

test.runIf(hasIpv6)(
  'a port that somebody else has at [::1] is none of ours, and nothing is left listening on it',
  async () => {
    const port = await squat('::1', 0);
    const pair = aPair();
    expect((await listen(pair, null, port)).port).toBeGreaterThan(port);
    await expect(
      new Promise((resolve, reject) => connect(port, '127.0.0.1', () => resolve('open')).once('error', reject)),
    ).rejects.toThrow('ECONNREFUSED');
    await expect(listen(aPair(), port)).rejects.toThrow(`Port ${port} is taken by another program.`);
  },
);

test('a port that somebody else has at 127.0.0.1 is none of ours', async () => {
  const port = await squat('127.0.0.1', 0);
  expect((await listen(aPair(), null, port)).port).toBeGreaterThan(port);
});
