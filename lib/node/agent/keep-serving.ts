import { createServer, type Server } from 'node:http';
import { hostAndPort } from '#lib/base/ip.ts';
import type { Clock } from '#lib/kube/index.ts';
import { type Answer, notFound } from './answers.ts';

/** Somebody else (kube-proxy) may hold the port for now: how often it is tried again. */
const retryMs = 2_000;

/** Health checks are many and small; whoever does not finish is not waited for. */
const limits = { headersTimeout: 5_000, requestTimeout: 5_000, keepAliveTimeout: 5_000 };
const mostConnections = 256;

export type Served = {
  /** null: every address of this host. */
  readonly host: string | null;
  readonly port: number;
  readonly answer: (path: string) => Answer;
  /** The port where it listens, which port 0 leaves to the kernel. Each time it does. */
  readonly listening?: (port: number) => void;
  /** Told once each time that the port cannot be had. */
  readonly refused: (because: string) => void;
};

/** Answers GET and HEAD at a port until the signal aborts. A port that cannot be had is tried again. */
export async function keepServing(served: Served, clock: Clock, signal: AbortSignal): Promise<void> {
  let told: string | null = null;
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
    if (because !== told) served.refused(because);
    told = because;
    await clock.sleep(retryMs, signal).catch(() => undefined);
  }
}

/** Null: it listened until the signal aborted. */
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
