import { randomBytes, timingSafeEqual } from 'node:crypto';
import { renameSync, rmSync, writeFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import { stringify } from 'yaml';
import { listen } from '#lib/base/loopback.ts';
import type { Store } from '#lib/kube/index.ts';
import { kubernetesApi } from './api.ts';
import { selfSigned } from './certificate.ts';
import { failure } from './status.ts';

export type ServeOptions = {
  /** Of the context in the kubeconfig. */
  name: string;
  /** Where the kubeconfig is written, mode 0600; the folder must be its user's alone. It is removed at the end. */
  kubeconfig: string;
  /** 0, the default: any that is free at both loopback addresses. */
  port?: number;
};

/** `server`: the URL in the kubeconfig. */
export type Served = { server: string; kubeconfig: string; close(): Promise<void> };

const limits = {
  maxHeaderSize: 16 * 1024,
  headersTimeout: 10_000,
  requestTimeout: 60_000,
  keepAliveTimeout: 60_000,
  connectionsCheckingInterval: 5_000,
};
const mostConnections = 512;

/**
 * Serves a store as a Kubernetes API on the loopback addresses alone, with TLS (kubectl sends a token over nothing else). Whoever has the
 * kubeconfig may do everything. Rejects with PortRefused where the port cannot be had.
 */
export async function serveStore(store: Store, { name, kubeconfig, port = 0 }: ServeOptions): Promise<Served> {
  const { key, certificate } = selfSigned(Date.now());
  const token = randomBytes(32).toString('base64url');
  const api = await kubernetesApi(store);
  const oneServer = () => {
    const server = createServer({ key, cert: certificate, ...limits }, (request, response) => {
      const refused = refusalOf(request, token);
      if (refused) refuse(request, response, refused);
      else void api.answer(request, response);
    });
    server.on('upgrade', (request, socket) => {
      // Whoever may not ask is not told why: that is what the same request without an upgrade is for.
      if (refusalOf(request, token)) socket.destroy();
      else void api.upgrade(request, socket);
    });
    server.maxConnections = mostConnections;
    return server;
  };
  const servers = { ipv4: oneServer(), ipv6: oneServer() };
  const close = async () => {
    rmSync(kubeconfig, { force: true });
    api.stop();
    await closed(Object.values(servers));
  };
  try {
    const bound = await listen(servers, port);
    const server = `https://127.0.0.1:${bound.port}`;
    writePrivate(kubeconfig, kubeconfigText({ name, server, token, certificate }));
    return { server, kubeconfig, close };
  } catch (error) {
    await close();
    throw error;
  }
}

type Refusal = readonly [status: number, reason: string, message: string];

/** A page in a browser may send requests here under any name (DNS rebinding), but neither under this Host nor with the token. */
function refusalOf({ headers, socket }: IncomingMessage, token: string): Refusal | null {
  const hosts = ['127.0.0.1', '[::1]', 'localhost'].map((host) => `${host}:${socket.localPort}`);
  if (!hosts.includes(headers.host ?? ''))
    return [421, 'Misdirected', 'This sandbox is reached at the address in its kubeconfig only.'];
  if (headers.origin !== undefined) return [403, 'Forbidden', 'This sandbox does not answer web pages.'];
  const given = Buffer.from(/^Bearer (\S+)$/i.exec(headers.authorization ?? '')?.[1] ?? '');
  const wanted = Buffer.from(token);
  if (given.length === wanted.length && timingSafeEqual(given, wanted)) return null;
  return [401, 'Unauthorized', 'Unauthorized'];
}

/** The rest of a refused request is not read: the connection ends with the answer. */
function refuse(request: IncomingMessage, response: ServerResponse, [code, reason, message]: Refusal): void {
  if (request.method !== 'GET') response.setHeader('connection', 'close');
  response.writeHead(code, { 'content-type': 'application/json' }).end(JSON.stringify(failure(code, reason, message)));
}

async function closed(servers: readonly Server[]): Promise<void> {
  await Promise.all(
    servers.map((server) => {
      const end = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      return end;
    }),
  );
}

function kubeconfigText(of: { name: string; server: string; token: string; certificate: string }): string {
  const { name, server, token, certificate } = of;
  return stringify({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [
      { name, cluster: { server, 'certificate-authority-data': Buffer.from(certificate).toString('base64') } },
    ],
    users: [{ name, user: { token } }],
    contexts: [{ name, context: { cluster: name, user: name } }],
    'current-context': name,
  });
}

function writePrivate(path: string, text: string): void {
  const whole = `${path}.${process.pid}`;
  rmSync(whole, { force: true });
  writeFileSync(whole, text, { mode: 0o600, flag: 'wx' });
  renameSync(whole, path);
}
