import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { expect, test } from 'vitest';
import { freePorts } from './free-ports.ts';

const only = (port: number) => ({ from: port, to: port + 1 });

test('ports are free, and none of those that the system gives to connections', async () => {
  const ports = await freePorts(6);
  expect(new Set(ports).size).toBe(6);
  const [first = 0] = readFileSync('/proc/sys/net/ipv4/ip_local_port_range', 'utf8').split(/\s+/).map(Number);
  for (const port of ports) {
    expect(port).toBeLessThan(first);
    const server = createServer().listen(port, '127.0.0.1');
    await once(server, 'listening');
    server.close();
  }
});

test('a port that was given is not given again, though nothing listens there yet', async () => {
  const [port = 0] = await freePorts(1);
  await expect(freePorts(1, only(port))).rejects.toThrow(
    `Of the ports ${port} to ${port} of 127.0.0.1 no 1 were found free.`,
  );
});

test('a port where something listens is not given', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  await expect(freePorts(1, only(port))).rejects.toThrow('no 1 were found free');
  server.close();
});
