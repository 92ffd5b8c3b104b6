/**
 * Generates load at one place of a topology, or answers it. One question per line on standard input, one answer per line. Between `load` and `settle`, connections
 * stay open and are used, and new ones are opened at a rate.
 */
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';

type Target = { readonly to: string; readonly port: number };

export type LoadQuestion =
  /** Echoes received data. */
  | { readonly do: 'echo'; readonly port: number }
  /** Answered once all connections that stay are open: so many at each target; new ones go to the targets in turns. */
  | { readonly do: 'load'; readonly targets: readonly Target[]; readonly staying: number; readonly perSecond: number }
  | { readonly do: 'settle' };

export type LoadReport = {
  /** Numbers of errors of lasting and new connections, by `address:port` and error. */
  readonly failures: Readonly<Record<string, number>>;
  readonly staying: number;
  readonly connections: number;
  /** The longest time from a message to its echo on lasting connections; for new ones from connect() to the answer. */
  readonly worstEchoMs: number;
  readonly worstConnectionMs: number;
  /** How long this process was not scheduled, which is not the network's fault. */
  readonly stalledMs: number;
};

/** A connection without an echo for so long is silent; TCP retransmits much earlier. */
const silentAfterMs = 20_000;
const messageEveryMs = 200;
/** Most new connections in progress: enough to notice a pause of the network, and a limit on slow machines. */
const mostUnderWay = 100;
const tickMs = 10;

class Load {
  readonly failures: Record<string, number> = {};
  staying = 0;
  connections = 0;
  worstEchoMs = 0;
  worstConnectionMs = 0;
  readonly #delay = monitorEventLoopDelay({ resolution: 10 });
  readonly #tasks: Promise<void>[] = [];
  #underWay = 0;
  #isOver = false;

  async begin({ targets, staying, perSecond }: Extract<LoadQuestion, { do: 'load' }>): Promise<void> {
    await Promise.all(targets.flatMap((target) => Array.from({ length: staying }, () => this.#stay(target))));
    this.#delay.enable();
    this.#tasks.push(this.#keepConnecting(targets, perSecond));
  }

  async settle(): Promise<LoadReport> {
    this.#isOver = true;
    await Promise.all(this.#tasks);
    const { failures, staying, connections, worstEchoMs, worstConnectionMs } = this;
    const stalledMs = this.#delay.max / 1e6;
    return { failures, staying, connections, worstEchoMs, worstConnectionMs, stalledMs };
  }

  async #stay(target: Target): Promise<void> {
    try {
      const socket = await opened(target);
      this.staying++;
      this.#tasks.push(this.#use(socket).catch((error: unknown) => this.#failed('staying', target, error)));
    } catch (error) {
      this.#failed('opening', target, error);
    }
  }

  async #use(socket: Socket): Promise<void> {
    // All at once would be a burst every time.
    await sleep(Math.random() * messageEveryMs);
    while (!this.#isOver) {
      this.worstEchoMs = Math.max(this.worstEchoMs, await echoMs(socket));
      await sleep(messageEveryMs);
    }
    await echoMs(socket);
    socket.end();
    await closed(socket);
  }

  async #keepConnecting(targets: readonly Target[], perSecond: number): Promise<void> {
    const all: Promise<void>[] = [];
    let due = 0;
    let last = performance.now();
    while (!this.#isOver) {
      await sleep(tickMs);
      const now = performance.now();
      due = Math.min(due + ((now - last) * perSecond) / 1000, mostUnderWay);
      last = now;
      for (; due >= 1 && this.#underWay < mostUnderWay; due--) {
        const target = targets[this.connections++ % targets.length];
        if (target) all.push(this.#once(target));
      }
    }
    await Promise.all(all);
  }

  async #once(target: Target): Promise<void> {
    this.#underWay++;
    const begun = performance.now();
    try {
      const socket = await opened(target);
      await echoMs(socket);
      this.worstConnectionMs = Math.max(this.worstConnectionMs, performance.now() - begun);
      socket.end();
      await closed(socket);
    } catch (error) {
      this.#failed('new', target, error);
    } finally {
      this.#underWay--;
    }
  }

  #failed(which: string, { to, port }: Target, error: unknown): void {
    const code = error instanceof Error && 'code' in error ? String(error.code) : String(error);
    const what = `${which} ${to}:${port} ${code}`;
    this.failures[what] = (this.failures[what] ?? 0) + 1;
  }
}

async function opened({ to, port }: Target): Promise<Socket> {
  const socket = connect({ host: to, port, noDelay: true });
  socket.setTimeout(silentAfterMs, () => socket.destroy(Object.assign(new Error(), { code: 'silence' })));
  await once(socket, 'connect');
  // An error between two messages shows at the next one.
  socket.on('error', () => {});
  return socket;
}

async function echoMs(socket: Socket): Promise<number> {
  const begun = performance.now();
  const ended = new AbortController();
  const { signal } = ended;
  try {
    if (socket.errored) throw socket.errored;
    if (socket.destroyed) throw Object.assign(new Error(), { code: 'closed' });
    const heard = Promise.race([
      once(socket, 'data', { signal }),
      once(socket, 'close', { signal }).then(() => {
        throw Object.assign(new Error(), { code: 'closed' });
      }),
    ]);
    socket.write('.');
    await heard;
    return performance.now() - begun;
  } finally {
    ended.abort();
  }
}

async function closed(socket: Socket): Promise<void> {
  if (!socket.closed) await once(socket, 'close');
  if (socket.errored) throw socket.errored;
}

async function echo(port: number): Promise<void> {
  const server = createServer({ noDelay: true }, (socket) => {
    socket.on('error', () => {});
    socket.pipe(socket);
  });
  server.listen({ port, host: '::', backlog: 1024 });
  await once(server, 'listening');
}

let load = new Load();

/** The report of a settled load; null after every other question. */
async function answer(question: LoadQuestion): Promise<LoadReport | null> {
  if (question.do === 'settle') return await load.settle();
  if (question.do === 'echo') await echo(question.port);
  else {
    load = new Load();
    await load.begin(question);
  }
  return null;
}

const lines = createInterface({ input: process.stdin });
lines.on('close', () => process.exit(0));
for await (const line of lines)
  process.stdout.write(`${JSON.stringify(await answer(JSON.parse(line) as LoadQuestion))}\n`);
