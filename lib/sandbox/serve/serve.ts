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
  /** The name of the kubeconfig's context. */
  name: string;
  /** The path of the kubeconfig, written with mode 0600 and removed at the end. The folder must belong to its user alone. */
  kubeconfig: string;
  /** 0, the default: any port that is free on both loopback addresses. */
  port?: number;
  /** Receives the server's own errors, whose answers name no cause. */
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
/**
 * The names in the certificate. It is its own authority and signs no other. A sandbox that is served for longer than a year gets a new one when it is
 * opened again.
 */
const reachedAs = ['localhost', '127.0.0.1', '::1'];
/** The last limit of connections; lib/peers/gate.ts keeps them far below it. */
const mostConnections = 4096;

/**
 * Serves a store as a Kubernetes API, only on the loopback addresses and with TLS, because kubectl sends a token only over TLS. Whoever has the
 * kubeconfig may do everything; on Linux only this user and root may connect. Rejects with PortRefused if the port cannot be had.
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
  /** By the other end's address: a request comes over the TLS socket, not over the accepted socket below it. */
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
    // Replaces Node's own listener, which begins with TLS, so that strangers do not get that far.
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
      // Without access no reason is given; the same request without an upgrade gives it.
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

/** Equal for the TLS socket and the socket below it. */
const otherEnd = ({ remoteAddress, remotePort }: Socket) => `${remoteAddress} ${remotePort}`;

type Refusal = readonly [status: number, reason: string, message: string];

/** A page in a browser may send requests here under any name (DNS rebinding), but not with this Host, and not with the token. */
function refusalOf({ headers, socket }: IncomingMessage, token: string): Refusal | null {
  const hosts = ['127.0.0.1', '[::1]', 'localhost'].map((host) => `${host}:${socket.localPort}`);
  if (!hosts.includes(headers.host ?? ''))
    return [421, 'Misdirected', 'This sandbox is reached at the address in its kubeconfig only.'];
  if (headers.origin !== undefined) return [403, 'Forbidden', 'This sandbox does not answer web pages.'];
  const presented = Buffer.from(/^Bearer (\S+)$/i.exec(headers.authorization ?? '')?.[1] ?? '');
  const wanted = Buffer.from(token);
  if (presented.length === wanted.length && timingSafeEqual(presented, wanted)) return null;
  return [401, 'Unauthorized', 'Unauthorized'];
}

/** The rest of a refused request is not read, so the connection ends with the answer. */
function refuse(response: ServerResponse, [code, reason, message]: Refusal): void {
  response
    .writeHead(code, { 'content-type': 'application/json', connection: 'close' })
    .end(JSON.stringify(failure(code, reason, message)));
}

function closed(server: Server): Promise<void> {
  return new Promise((resolve) => server.close(() => resolve()));
}

function writePrivate(path: string, text: string): void {
  const temporary = `${path}.${process.pid}`;
  rmSync(temporary, { force: true });
  writeFileSync(temporary, text, { mode: 0o600, flag: 'wx' });
  renameSync(temporary, path);
}
