import { randomInt } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * Below the ephemeral ports (Linux 32768–60999, net.ipv4.ip_local_port_range; macOS from 49152) and below the node ports of Services.
 * The system gave an ephemeral port that was found free to another test's server before etcd listened on it.
 */
const range = { from: 12_000, to: 30_000 };

const triesEach = 100;

/**
 * `count` different free ports of 127.0.0.1 for programs that take a port's number. No other caller gets them until this process
 * ends: each is marked by a UDP socket of the same number, which cannot be bound twice and closes with its process.
 */
export async function freePorts(count: number, { from, to } = range): Promise<number[]> {
  const ports: number[] = [];
  for (let tries = count * triesEach; ports.length < count; tries--) {
    if (tries === 0) throw new Error(`Of the ports ${from} to ${to - 1} of 127.0.0.1 no ${count} were found free.`);
    const port = randomInt(from, to);
    if ((await isMarked(port)) && (await isFree(port))) ports.push(port);
  }
  return ports;
}

/** Marks a port as ours; false when another process has it. */
async function isMarked(port: number): Promise<boolean> {
  const mark = createSocket('udp4').unref();
  const marked = once(mark, 'listening');
  mark.bind({ port, address: '127.0.0.1', exclusive: true });
  return isDone(marked);
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  const listens = once(server, 'listening');
  server.listen({ port, host: '127.0.0.1', exclusive: true });
  if (!(await isDone(listens))) return false;
  await new Promise((closed) => server.close(closed));
  return true;
}

/** `once` rejects with the emitter's `error`. */
function isDone(event: Promise<unknown>): Promise<boolean> {
  return event.then(
    () => true,
    () => false,
  );
}
