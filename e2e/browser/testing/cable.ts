import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { AConsole } from './console-process.ts';

/** A stream as the page asked for it, and what was passed on of it. What was on its way when the cable was cut may not have come. */
export type PassedStream = {
  readonly path: string;
  /** Last-Event-ID: the last event that the page has had. */
  readonly after: number | null;
  /** Whole events. */
  readonly events: { readonly event: string; readonly id: number | null }[];
};

/**
 * The cable between one browser and the console: an HTTP proxy that passes everything on as it is, Host and Origin included, and can be pulled
 * out. It sees the bytes that reach the page, which nothing inside of the page could tell without changing it.
 */
export type Cable = {
  /** What `aPage`'s `through` wants. */
  readonly server: string;
  /** In the order in which they were asked for. */
  readonly passed: readonly PassedStream[];
  /** Ends every open stream in the middle of whatever it was sending; answers how many there were. */
  cutStreams(): number;
  /** Nothing passes, and what was open ends. */
  pull(): void;
  plug(): void;
  /** Requests that fit wait until what is answered is called. */
  hold(fits: (asked: { method: string; path: string }) => boolean): () => void;
  close(): void;
};

type Held = { readonly fits: (asked: { method: string; path: string }) => boolean; readonly released: Promise<void> };

export async function cableTo(console: AConsole): Promise<Cable> {
  const agent = new Agent({ keepAlive: true });
  const streams = new Set<ServerResponse>();
  const passed: PassedStream[] = [];
  const holds = new Set<Held>();
  let state: 'plugged' | 'pulled' = 'plugged';

  const pass = async (asked: IncomingMessage, answer: ServerResponse) => {
    if (state === 'pulled') return answer.destroy();
    const { pathname: path, search } = new URL(asked.url ?? '/', console.url);
    for (const held of holds) if (held.fits({ method: asked.method ?? 'GET', path })) await held.released;
    const sent = request(
      {
        host: '127.0.0.1',
        port: console.port,
        path: `${path}${search}`,
        method: asked.method,
        headers: asked.headers,
        agent,
      },
      (answered) => {
        answer.writeHead(answered.statusCode ?? 502, answered.rawHeaders);
        answer.flushHeaders();
        answered.on('error', () => answer.destroy());
        if (answered.headers['content-type']?.startsWith('text/event-stream')) {
          streams.add(answer);
          answer.on('close', () => streams.delete(answer));
          const { 'last-event-id': after } = asked.headers;
          const stream = { path, after: after === undefined ? null : Number(after), events: [] };
          passed.push(stream);
          let text = '';
          answered.setEncoding('utf8').on('data', (chunk: string) => {
            text = keepPassed(text + chunk, stream);
          });
        }
        answered.pipe(answer);
      },
    );
    sent.on('error', () => answer.destroy());
    answer.on('close', () => sent.destroy());
    asked.pipe(sent);
  };

  const server = createServer((asked, answer) => void pass(asked, answer).catch(() => answer.destroy()));
  // Chromium asks for tunnels to sites of its own; there is no way out of here.
  server.on('connect', (_, socket) => socket.destroy());
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  return {
    server: `http://127.0.0.1:${port}`,
    passed,
    cutStreams() {
      const many = streams.size;
      for (const answer of streams) answer.socket?.destroy();
      return many;
    },
    pull() {
      state = 'pulled';
      server.closeAllConnections();
    },
    plug() {
      state = 'plugged';
    },
    hold(fits) {
      const { promise: released, resolve } = Promise.withResolvers<void>();
      const held = { fits, released };
      holds.add(held);
      return () => {
        holds.delete(held);
        resolve();
      };
    },
    close() {
      server.close();
      server.closeAllConnections();
      agent.destroy();
    },
  };
}

/** Takes whole events off the front of a stream's text; answers the rest. */
function keepPassed(text: string, { events }: PassedStream): string {
  const blocks = text.split('\n\n');
  const rest = blocks.pop() ?? '';
  for (const block of blocks) {
    const event = /^event: (.*)$/m.exec(block)?.[1];
    const id = /^id: (\d+)$/m.exec(block)?.[1];
    if (event !== undefined) events.push({ event, id: id === undefined ? null : Number(id) });
  }
  return rest;
}
