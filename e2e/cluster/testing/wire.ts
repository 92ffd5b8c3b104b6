import { readFileSync, writeFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Agent, createServer, request } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { join } from 'node:path';
import { connect } from 'node:tls';
import type { Plane } from '#e2e/controlplane/index.ts';

/** A write that passed the wire, without dry runs. `status`: null until it is answered. */
export type Write = {
  readonly method: string;
  /** Without its query: `/api/v1/namespaces/kube-system/configmaps/…`. */
  readonly path: string;
  readonly body: unknown;
  status: number | null;
};

/**
 * The wire between a process and the API server: an HTTPS proxy on loopback with the API server's certificate, which records writes. A test can see what a process
 * wrote, and cut the connection exactly before or after a write, which a signal after an event cannot do.
 */
export type Wire = {
  /** The administrator's kubeconfig, through this wire. */
  readonly kubeconfig: string;
  /** Another user's kubeconfig, through this wire. */
  kubeconfigFor: Plane['kubeconfigFor'];
  readonly writes: readonly Write[];
  /** Drops the first matching write before it reaches the server, and calls `then`. */
  cutBefore(fits: (write: Write) => boolean, then: () => void): void;
  /** Forwards the first matching write, drops its answer, and calls `then`. */
  cutAfter(fits: (write: Write) => boolean, then: () => void): void;
  close(): void;
};

type Cut = { readonly when: 'before' | 'after'; readonly fits: (write: Write) => boolean; readonly then: () => void };

export async function wireTo(plane: Plane, name: string): Promise<Wire> {
  const upstream = new URL(plane.url);
  const tls = {
    cert: readFileSync(join(plane.dir, 'pki', 'apiserver.crt')),
    key: readFileSync(join(plane.dir, 'pki', 'apiserver.key')),
  };
  const agent = new Agent({ ca: tls.cert, keepAlive: true, timeout: 30_000 });
  const writes: Write[] = [];
  const cuts: Cut[] = [];
  const take = (when: Cut['when'], write: Write | null): Cut | undefined => {
    const index = write ? cuts.findIndex((cut) => cut.when === when && cut.fits(write)) : -1;
    return index < 0 ? undefined : cuts.splice(index, 1)[0];
  };

  const pass = async (incoming: IncomingMessage, answer: ServerResponse) => {
    const body = await bodyOf(incoming);
    const write = asWrite(incoming, body);
    const before = take('before', write);
    if (before) return before.then();
    if (write) writes.push(write);
    const sent = request(
      upstream,
      { path: incoming.url, method: incoming.method, headers: incoming.headers, agent },
      (answered) => {
        if (write) write.status = answered.statusCode ?? null;
        const after = take('after', write);
        if (after) {
          answered.resume();
          return after.then();
        }
        answer.writeHead(answered.statusCode ?? 502, answered.rawHeaders);
        answer.flushHeaders();
        answered.pipe(answer);
        answered.on('error', () => answer.destroy());
      },
    );
    sent.on('error', () => answer.destroy());
    answer.on('close', () => sent.destroy());
    sent.end(body);
  };

  // As an API server: Node's 5 s ended idle connections that a busy client was just about to write on.
  const options = { ...tls, keepAliveTimeout: 90_000 };
  const server = createServer(options, (incoming, answer) => void pass(incoming, answer).catch(() => answer.destroy()));
  server.on('upgrade', (incoming, socket: Socket, head) => {
    const on = connect({ host: upstream.hostname, port: Number(upstream.port), ca: tls.cert }, () => {
      const headers = Array.from({ length: incoming.rawHeaders.length / 2 }, (_, i) =>
        incoming.rawHeaders.slice(2 * i, 2 * i + 2).join(': '),
      );
      on.write(`${incoming.method} ${incoming.url} HTTP/1.1\r\n${headers.join('\r\n')}\r\n\r\n`);
      on.write(head);
      on.pipe(socket).pipe(on);
    });
    for (const [one, other] of [
      [on, socket],
      [socket, on],
    ] as const) {
      one.on('error', () => other.destroy());
      one.on('close', () => other.destroy());
    }
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));

  const { port } = server.address() as AddressInfo;
  const wired = (kubeconfig: string, file: string) => {
    const path = join(plane.dir, `${file}.kubeconfig`);
    const text = readFileSync(kubeconfig, 'utf8').replace(plane.url, `https://127.0.0.1:${port}`);
    writeFileSync(path, text, { mode: 0o600 });
    return path;
  };
  return {
    kubeconfig: wired(plane.kubeconfig, name),
    kubeconfigFor: (user) => wired(plane.kubeconfigFor(user), `${name}-${user}`),
    writes,
    cutBefore: (fits, then) => void cuts.push({ when: 'before', fits, then }),
    cutAfter: (fits, then) => void cuts.push({ when: 'after', fits, then }),
    close() {
      server.close();
      server.closeAllConnections();
      agent.destroy();
    },
  };
}

async function bodyOf(incoming: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

function asWrite(incoming: IncomingMessage, body: Buffer): Write | null {
  const { pathname: path, searchParams } = new URL(incoming.url ?? '/', 'https://wire');
  const method = incoming.method ?? 'GET';
  if (method === 'GET' || searchParams.has('dryRun') || path.startsWith('/apis/authorization.k8s.io/')) return null;
  return { method, path, body: readBody(body), status: null };
}

function readBody(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString());
  } catch {
    return body.toString();
  }
}

/** Writes without those to our journal, its namespace, Lease and Events. */
export function clusterWrites(writes: readonly Write[]): readonly Write[] {
  return writes.filter(
    ({ path }) => !/\/(leases|events)(\/|$)|\/configmaps(\/signalbox-run-|$)|^\/api\/v1\/namespaces$/.test(path),
  );
}

/** A write as `PATCH deployments/tigera-operator`, to compare lists of them. */
export function inShort({ method, path }: Write): string {
  return `${method} ${path.split('/').slice(-2).join('/')}`;
}
