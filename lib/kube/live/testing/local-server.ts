import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { kubeconfigText } from '../../kubeconfig-text.ts';
import type { ConnectOptions } from '../connect-options.ts';

/** A server on 127.0.0.1 that misbehaves in one way. Tests connect to nothing else. */
export type LocalServer = {
  readonly url: string;
  readonly port: number;
  readonly requests: { method: string; url: string; headers: IncomingMessage['headers']; body: string }[];
  /** Connections that were opened. */
  connections(): number;
  close(): Promise<void>;
};

export type Handler = (request: IncomingMessage, response: ServerResponse, body: string) => void;

export async function localServer(
  answer: Handler,
  tls?: { cert: string; key: string; ca?: string },
): Promise<LocalServer> {
  const requests: LocalServer['requests'] = [];
  let connections = 0;
  const handle: Handler = (request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString('utf8');
      requests.push({ method: request.method ?? '', url: request.url ?? '', headers: request.headers, body });
      answer(request, response, body);
    });
  };
  const listener = (request: IncomingMessage, response: ServerResponse) => handle(request, response, '');
  const server = tls
    ? createSecureServer({ ...tls, ...(tls.ca ? { requestCert: true, rejectUnauthorized: false } : {}) }, listener)
    : createServer(listener);
  server.on('connection', () => {
    connections += 1;
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `${tls ? 'https' : 'http'}://127.0.0.1:${port}`,
    port,
    requests,
    connections: () => connections,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

export function json(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify(body));
}

export function statusBody(code: number, reason: string, more: Record<string, unknown> = {}) {
  return { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', reason, code, ...more };
}

/** A kubeconfig with one context, `here`. Fields of cluster and user as in the file. */
export function kubeconfigFor(
  server: string,
  user: Record<string, unknown> = {},
  cluster: Record<string, unknown> = {},
): string {
  return kubeconfigText({
    current: 'here',
    clusters: { local: { server, ...cluster } },
    users: { me: user },
    contexts: [['here', 'local', 'me']],
  });
}

/** Hides the variables and the home folder of the machine that runs the test. */
export const nowhere: ConnectOptions = {
  env: { PATH: process.env.PATH },
  home: '/nonexistent',
  serviceAccountFolder: '/nonexistent',
};
