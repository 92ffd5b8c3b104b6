import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { AConsole } from './console-process.ts';

/** A stream that the page requested, and its forwarded events. Events in flight when the cable was cut may not have arrived. */
export type PassedStream = {
  readonly path: string;
  /** Last-Event-ID of the request: the page's last event. */
  readonly after: number | null;
  /** Whole events. */
  readonly events: { readonly event: string; readonly id: number | null }[];
};

/**
 * The cable between a browser and the console: an HTTP proxy that forwards everything unchanged, including Host and Origin, and can be pulled out. It records the
 * bytes that reach the page, without changing the page.
 */
export type Cable = {
  /** The address for `aPage`'s `through`. */
  readonly server: string;
  /** In the order of the requests. */
  readonly passed: readonly PassedStream[];
  /** Cuts every open stream, also within an event; returns their number. */
  cutStreams(): number;
  /** Ends all connections and refuses new ones. */
  pull(): void;
  plug(): void;
  /** Matching requests wait until the returned function is called. */
  hold(fits: (incoming: { method: string; path: string }) => boolean): () => void;
  close(): void;
};

type Held = {
  readonly fits: (incoming: { method: string; path: string }) => boolean;
  readonly released: Promise<void>;
};

export async function cableTo(console: AConsole): Promise<Cable> {
  const agent = new Agent({ keepAlive: true });
  const streams = new Set<ServerResponse>();
  const passed: PassedStream[] = [];
  const holds = new Set<Held>();
  let state: 'plugged' | 'pulled' = 'plugged';

  const pass = async (incoming: IncomingMessage, answer: ServerResponse) => {
    if (state === 'pulled') return answer.destroy();
    const { pathname: path, search } = new URL(incoming.url ?? '/', console.url);
    for (const held of holds) if (held.fits({ method: incoming.method ?? 'GET', path })) await held.released;
    const sent = request(
      {
        host: '127.0.0.1',
        port: console.port,
        path: `${path}${search}`,
        method: incoming.method,
        headers: incoming.headers,
        agent,
      },
      (answered) => {
        answer.writeHead(answered.statusCode ?? 502, answered.rawHeaders);
        answer.flushHeaders();
        answered.on('error', () => answer.destroy());
        if (answered.headers['content-type']?.startsWith('text/event-stream')) {
          streams.add(answer);
          answer.on('close', () => streams.delete(answer));
          const { 'last-event-id': after } = incoming.headers;
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
    incoming.pipe(sent);
  };

  const server = createServer((incoming, answer) => void pass(incoming, answer).catch(() => answer.destroy()));
  // Chromium requests tunnels to its own sites, which are refused.
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

/** Removes whole events from the start of a stream's text; returns the rest. */
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
