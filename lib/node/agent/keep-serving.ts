import { createServer, type Server } from 'node:http';
import { hostAndPort } from '#lib/base/ip.ts';
import type { Clock } from '#lib/kube/index.ts';
import { type Answer, notFound } from './answers.ts';

/** Another process (kube-proxy) may hold the port at first. This is how often the agent tries again. */
const retryMs = 2_000;

/** Health checks are many and small. A client that does not finish its request in time is cut off. */
const limits = { headersTimeout: 5_000, requestTimeout: 5_000, keepAliveTimeout: 5_000 };
const mostConnections = 256;

export type Served = {
  /** Null: all addresses of this host. */
  readonly host: string | null;
  readonly port: number;
  readonly answer: (path: string) => Answer;
  /** Called each time that the server begins to listen, with its port: port 0 lets the kernel choose one. */
  readonly listening?: (port: number) => void;
  /** Called when the port cannot be had, once for each new reason. */
  readonly refused: (because: string) => void;
};

/** Answers GET and HEAD at a port until the signal aborts. If the port cannot be had, it tries again. */
export async function keepServing(served: Served, clock: Clock, signal: AbortSignal): Promise<void> {
  let lastReason: string | null = null;
  while (!signal.aborted) {
    const server = createServer(limits, (request, response) => {
      const path = (request.url ?? '/').split('?')[0] ?? '/';
      const isRead = request.method === 'GET' || request.method === 'HEAD';
      const { status, type, headers, body } = isRead ? served.answer(path) : notFound;
      response.writeHead(isRead ? status : 405, {
        'Content-Type': type,
        'Content-Length': Buffer.byteLength(body),
        ...headers,
      });
      response.end(request.method === 'HEAD' ? undefined : body);
    });
    server.maxConnections = mostConnections;
    const because = await listened(server, served, signal);
    if (because === null || signal.aborted) return;
    if (because !== lastReason) served.refused(because);
    lastReason = because;
    await clock.sleep(retryMs, signal).catch(() => undefined);
  }
}

/** Listens until the signal aborts, then resolves to null; resolves to the error if it cannot listen. */
async function listened(
  server: Server,
  { host, port, listening }: Served,
  signal: AbortSignal,
): Promise<string | null> {
  const ended = Promise.withResolvers<string | null>();
  server.once('error', (error) => ended.resolve(`${hostAndPort({ host: host ?? '*', port })}: ${error.message}`));
  const onAbort = () => ended.resolve(null);
  signal.addEventListener('abort', onAbort, { once: true });
  server.listen({ port, ...(host === null ? {} : { host }) }, () => {
    const address = server.address();
    listening?.(typeof address === 'object' && address !== null ? address.port : port);
  });
  try {
    return await ended.promise;
  } finally {
    signal.removeEventListener('abort', onAbort);
    server.closeAllConnections();
    await new Promise<void>((resolve) => server.close(() => resolve()));
  }
}
