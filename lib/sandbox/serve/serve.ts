import { randomBytes, timingSafeEqual } from 'node:crypto';
import { renameSync, rmSync, writeFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { Server, Socket } from 'node:net';
import { issueCertificate } from '#lib/base/certificates.ts';
import { listen } from '#lib/base/loopback.ts';
import { kubeconfigOf, type Store } from '#lib/kube/index.ts';
import { gate, peerOwners, whoMayConnect } from '#lib/peers/index.ts';
import { kubernetesApi } from './api.ts';
import { failure } from './status.ts';

export type ServeOptions = {
  /** Of the context in the kubeconfig. */
  name: string;
  /** Where the kubeconfig is written, mode 0600; the folder must be its user's alone. It is removed at the end. */
  kubeconfig: string;
  /** 0, the default: any that is free at both loopback addresses. */
  port?: number;
  /** Told of faults of its own, whose answers name no cause. */
  log?: (line: string, cause?: unknown) => void;
};

/** `server`: the URL in the kubeconfig. */
export type Served = { server: string; kubeconfig: string; close(): Promise<void> };

const limits = {
  maxHeaderSize: 16 * 1024,
  headersTimeout: 10_000,
  requestTimeout: 60_000,
  keepAliveTimeout: 60_000,
  connectionsCheckingInterval: 5_000,
  handshakeTimeout: 10_000,
};
/** Trusted by itself, and vouching for no other: a sandbox that is served for longer than its year gets a new one when it is opened again. */
const reachedAs = ['localhost', '127.0.0.1', '::1'];
/** The last bound on what this process opens: lib/peers/gate.ts keeps them far below it. */
const mostConnections = 4096;

/**
 * Serves a store as a Kubernetes API on the loopback addresses alone, with TLS (kubectl sends a token over nothing else). Whoever has the
 * kubeconfig may do everything; on Linux nobody but this user and root may connect. Rejects with PortRefused where the port cannot be had.
 */
export async function serveStore(
  store: Store,
  { name, kubeconfig, port = 0, log = () => undefined }: ServeOptions,
): Promise<Served> {
  const { key, certificate } = issueCertificate(
    { commonName: 'signalbox sandbox', names: reachedAs, use: 'end' },
    Date.now(),
  );
  const token = randomBytes(32).toString('base64url');
  const api = await kubernetesApi(store, log);
  const { mayConnect } = await whoMayConnect(peerOwners(), process.geteuid?.() ?? 0);
  const peers = gate(mayConnect);
  /** By their other end: what a request comes over is not the socket that was accepted, but the TLS around it. */
  const connections = new Map<string, Socket>();
  const keepsPlace = (socket: Socket) => {
    const connection = connections.get(otherEnd(socket));
    if (connection) peers.signedIn(connection);
  };
  const oneServer = () => {
    const server = createServer({ key, cert: certificate, ...limits }, (request, response) => {
      const refused = refusalOf(request, token);
      if (refused) refuse(response, refused);
      else {
        keepsPlace(request.socket);
        void api.answer(request, response);
      }
    });
    // In place of Node's own listener, which begins with TLS: strangers do not come so far.
    const [beginTls] = server.listeners('connection');
    server.removeAllListeners('connection').on('connection', (socket: Socket) => {
      const end = otherEnd(socket);
      connections.set(end, socket);
      socket.on('error', () => socket.destroy()).once('close', () => connections.delete(end));
      peers.enter(socket);
      peers.refusalTo(socket).then(
        (refusal) => {
          if (refusal === null && !socket.destroyed) beginTls?.call(server, socket);
          else socket.destroy();
        },
        () => socket.destroy(),
      );
    });
    server.on('upgrade', (request, socket) => {
      // Whoever may not ask is not told why: that is what the same request without an upgrade is for.
      if (refusalOf(request, token)) socket.destroy();
      else {
        keepsPlace(request.socket);
        void api.upgrade(request, socket);
      }
    });
    server.maxConnections = mostConnections;
    return server;
  };
  const servers = { ipv4: oneServer(), ipv6: oneServer() };
  const close = async () => {
    rmSync(kubeconfig, { force: true });
    api.stop();
    const ended = Object.values(servers).map(closed);
    for (const socket of connections.values()) socket.destroy();
    await Promise.all(ended);
  };
  try {
    const bound = await listen(servers, port);
    const server = `https://127.0.0.1:${bound.port}`;
    const authority = Buffer.from(certificate).toString('base64');
    writePrivate(kubeconfig, kubeconfigOf(name, { server, 'certificate-authority-data': authority }, { token }));
    return { server, kubeconfig, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Two sockets of one connection have it in common. */
const otherEnd = ({ remoteAddress, remotePort }: Socket) => `${remoteAddress} ${remotePort}`;

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
function refuse(response: ServerResponse, [code, reason, message]: Refusal): void {
  response
    .writeHead(code, { 'content-type': 'application/json', connection: 'close' })
    .end(JSON.stringify(failure(code, reason, message)));
}

function closed(server: Server): Promise<void> {
  return new Promise((resolve) => server.close(() => resolve()));
}

function writePrivate(path: string, text: string): void {
  const whole = `${path}.${process.pid}`;
  rmSync(whole, { force: true });
  writeFileSync(whole, text, { mode: 0o600, flag: 'wx' });
  renameSync(whole, path);
}
