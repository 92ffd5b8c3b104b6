import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { listen, PortRefused } from './listen.ts';

const servers: Server[] = [];
const aServer = () => {
  const server = createServer();
  servers.push(server);
  return server;
};
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

test('any port, on the loopback address only', async () => {
  const server = aServer();
  const { port } = await listen(server, 0);
  expect(server.address()).toMatchObject({ address: '127.0.0.1', port } satisfies Partial<AddressInfo>);
});

test('a port that was asked for and is taken is refused with a sentence', async () => {
  const { port } = await listen(aServer(), 0);
  const refused = listen(aServer(), port);
  await expect(refused).rejects.toThrow(PortRefused);
  await expect(refused).rejects.toThrow(`Port ${port} is taken by another program.`);
});

test('without a wish, the first free one from there on, said so', async () => {
  const { port } = await listen(aServer(), 0);
  const next = await listen(aServer(), null, port);
  expect(next.instead).toBe('next-free');
  expect(next.port).toBeGreaterThan(port);
  expect(next.port).toBeLessThan(port + 100);
});
