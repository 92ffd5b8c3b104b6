import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { kubeProxyHealthPort } from '#lib/spec/index.ts';

/**
 * All connections of the API server, except those to etcd, go through this HTTP CONNECT proxy on a unix socket.
 * Without it the API server dials the addresses of Services and nodes over the machine's default route, and once reached a foreign host that way.
 * The proxy never connects to the requested address. It answers for the kubelet port and the kube-proxy health port of a node, and connects an
 * aggregated API to the port of this machine on which a test serves it. It refuses everything else with 403 and logs it.
 */
export type EgressEntry = {
  readonly at: string;
  /** `host:port`, as the API server requested it. */
  readonly target: string;
  /** The node for which the proxy answered, the port of this machine to which it connected, or a refusal. */
  readonly answer: { readonly node: string } | { readonly port: number } | 'refused';
};

export const kubeletPort = 10250;
const answeredPorts: readonly number[] = [kubeletPort, kubeProxyHealthPort];

/** The selection `cluster` is for nodes, pods, aggregated APIs and webhooks of a Service; `controlplane` is for webhooks of a URL. */
export function egressSelectorConfig(socketPath: string): string {
  return stringify({
    apiVersion: 'apiserver.k8s.io/v1beta1',
    kind: 'EgressSelectorConfiguration',
    egressSelections: ['cluster', 'controlplane'].map((name) => ({
      name,
      connection: { proxyProtocol: 'HTTPConnect', transport: { uds: { udsName: socketPath } } },
    })),
  });
}

/**
 * `nodeAt` returns the node with this address, or null; `answerAs` takes over the connection and answers as that node.
 * Each dial is one line of JSON in the log.
 */
export function egressProxy(options: {
  readonly log: string;
  readonly nodeAt: (address: string) => Promise<string | null>;
  /** The port of this machine on which a test serves `host:port`, or null. */
  readonly servedAt?: (target: string) => number | null;
  readonly answerAs: (node: string, port: number, connection: Socket) => void;
}): Server {
  const server = createServer((_request, response) => response.writeHead(405).end());
  server.on('connect', async (request, connection: Socket) => {
    connection.on('error', () => connection.destroy());
    const target = request.url ?? '';
    const [, address = '', port = ''] = /^\[?(.*?)\]?:(\d+)$/.exec(target) ?? [];
    const node = answeredPorts.includes(Number(port)) ? await options.nodeAt(address) : null;
    const served = node === null ? (options.servedAt?.(target) ?? null) : null;
    const answer = node !== null ? { node } : served !== null ? { port: served } : 'refused';
    const entry: EgressEntry = { at: new Date().toISOString(), target, answer };
    appendFileSync(options.log, `${JSON.stringify(entry)}\n`);
    if (connection.destroyed) return;
    if (served !== null) {
      const line = connect(served, '127.0.0.1', () => {
        connection.write('HTTP/1.1 200 Connection established\r\n\r\n');
        line.pipe(connection).pipe(line);
      });
      line.on('error', () => connection.destroy());
      connection.on('close', () => line.destroy());
      return;
    }
    if (node === null) {
      connection.end('HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\nConnection: close\r\n\r\n');
      return;
    }
    connection.write('HTTP/1.1 200 Connection established\r\n\r\n');
    options.answerAs(node, Number(port), connection);
  });
  return server;
}

export function readEgressLog(path: string): readonly EgressEntry[] {
  if (!existsSync(path)) return [];
  return readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as EgressEntry);
}

/** Refused dials: each is an attempt of the cluster to reach something outside. */
export function unexpectedDials(log: readonly EgressEntry[]): readonly EgressEntry[] {
  return log.filter(({ answer }) => answer === 'refused');
}

const servedFile = (dir: string) => join(dir, 'served.json');

/** From now on the API server of the plane in `dir` reaches this port of this machine as `target`, a `host:port`. */
export function serveTo(dir: string, target: string, port: number): void {
  writeFileSync(servedFile(dir), JSON.stringify({ [target]: port }));
}

export function servedIn(dir: string, target: string): number | null {
  if (!existsSync(servedFile(dir))) return null;
  return (JSON.parse(readFileSync(servedFile(dir), 'utf8')) as Record<string, number>)[target] ?? null;
}
