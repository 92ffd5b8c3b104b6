import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A server of files on this machine that can be told to misbehave, request by request. */
export type ReleaseServer = {
  readonly origin: string;
  /** Path and Range of every request, in order: `/file`, `/file bytes=5-`. */
  readonly requests: string[];
  answer: RequestListener;
  /** Where a client asks for a tunnel: `mirror.example:443`. It is refused. */
  onConnect: (target: string) => void;
  close(): Promise<void>;
};

export async function startReleaseServer(): Promise<ReleaseServer> {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    requests.push([request.url, request.headers.range].filter(Boolean).join(' '));
    self.answer(request, response);
  });
  server.on('connect', (request, socket) => {
    self.onConnect(request.url ?? '');
    socket.end('HTTP/1.1 403 Forbidden\r\n\r\n');
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const self: ReleaseServer = {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    answer: (_, response) => response.writeHead(404).end(),
    onConnect: () => undefined,
    close: async () => {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
  return self;
}

/** Serves a text as a good server does: ETag, lengths, and the rest of it where the ETag is still the same. */
export function serving(text: string, etag = `"${text.length}"`): RequestListener {
  const bytes = Buffer.from(text);
  return (request, response) => {
    const from = Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? '')?.[1] ?? 0);
    if (from > 0 && request.headers['if-range'] === etag && from < bytes.length) {
      const range = `bytes ${from}-${bytes.length - 1}/${bytes.length}`;
      response.writeHead(206, { etag, 'content-range': range, 'content-length': bytes.length - from });
      response.end(bytes.subarray(from));
    } else response.writeHead(200, { etag, 'content-length': bytes.length }).end(bytes);
  };
}

/**
 * Promises all of a text, sends its first bytes, and hangs up as soon as they have come: `received` tells how many have. (What a connection
 * that breaks has not handed over yet is lost.)
 */
export function breakingOff(
  text: string,
  after: number,
  received: () => number | undefined,
  etag = `"${text.length}"`,
): RequestListener {
  return (_, response) => {
    response.writeHead(200, { etag, 'content-length': Buffer.byteLength(text) });
    response.write(text.slice(0, after));
    const look = setInterval(() => {
      if (received() === after) response.destroy();
    }, 5);
    response.on('close', () => clearInterval(look));
  };
}
