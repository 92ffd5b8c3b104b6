import { createServer, type Server } from 'node:http';
import type { Socket } from 'node:net';

/** Where kube-proxy says how it is, on each node's address. */
export const proxyHealthPort = 10256;

/**
 * kube-proxy's `/healthz` on every node, asked through the API server's pod proxy: when it last wrote its rules, in Go's words.
 * `syncedAt` gives that time in ms, 0 for a proxy that runs and has not, null where none runs: there nobody answers.
 */
export class ProxyHealth {
  readonly #syncedAt: (node: string) => number | null;
  readonly #servers = new Map<string, Server>();

  constructor(syncedAt: (node: string) => number | null) {
    this.#syncedAt = syncedAt;
  }

  /** One server a node, none of which listens: it is how a request knows whose it is. */
  answerAs(node: string, connection: Socket): void {
    let server = this.#servers.get(node);
    if (!server) {
      server = createServer((request, response) => {
        const at = this.#syncedAt(node);
        if (at === null) return void response.destroy();
        if (request.url?.split('?')[0] !== '/healthz') return void response.writeHead(404).end();
        const body = { lastUpdated: inGo(at), currentTime: inGo(Date.now()), nodeEligible: true };
        response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
      });
      this.#servers.set(node, server);
    }
    server.emit('connection', connection);
  }
}

/** time.String() of Go, in UTC; its zero time is the year 1. */
function inGo(ms: number): string {
  if (ms === 0) return '0001-01-01 00:00:00 +0000 UTC';
  return `${new Date(ms).toISOString().replace('T', ' ').replace('Z', '')} +0000 UTC m=+1.0`;
}
