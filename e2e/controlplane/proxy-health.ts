import { createServer, type Server } from 'node:http';
import type { Socket } from 'node:net';

type Answer = (node: string, path: string) => Promise<{ status: number; body: string } | null>;

/** kube-proxy's health port on every node, asked through the API server's pod proxy. Where none runs nobody answers. */
export class ProxyHealth {
  readonly #answer: Answer;
  readonly #servers = new Map<string, Server>();

  constructor(answer: Answer) {
    this.#answer = answer;
  }

  /** One server for each node, so that a request is known to be for that node. None of them listens. */
  answerAs(node: string, connection: Socket): void {
    let server = this.#servers.get(node);
    if (!server) {
      server = createServer(async (request, response) => {
        const answer = await this.#answer(node, request.url?.split('?')[0] ?? '/').catch(() => null);
        if (answer === null) return void response.destroy();
        response.writeHead(answer.status, { 'content-type': 'application/json' }).end(answer.body);
      });
      this.#servers.set(node, server);
    }
    server.emit('connection', connection);
  }
}
