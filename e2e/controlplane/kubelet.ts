import { existsSync } from 'node:fs';
import { request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import { connect, type Socket } from 'node:net';
import type { PlaneAgents } from './agents.ts';
import { answeringPod } from './kwok-config.ts';
import { answerFile, writeAnswer } from './objects/node-files.ts';
import { untilListening } from './until-listening.ts';

/** KWOK restarts when nodes are added or held (kwok-config.ts). Requests wait this long for it, so that no node seems to be away. */
const kwokStartsWithinMs = 15_000;

/**
 * The kubelet's port of every node: takes the API server's connections over from the egress proxy, ends their TLS, and passes
 * the requests on to KWOK under names that KWOK can know (kwok-config.ts says why):
 *
 *     /containerLogs/<ns>/<pod>/<container>   →  /containerLogs/<ns>/<node>/<container>
 *     /exec/<ns>/<pod>/<container>?command=…  →  /exec/<ns>/signalbox-answers/<container>?command=cat&command=<file of the answer>
 *     /portForward/<ns>/<pod>?port=…          →  /portForward/<ns>/signalbox-answers?port=…
 *
 * A test's own answer to a command comes first (node-files.ts), then the agents' answer. Any other command ends with exit code 127 and
 * a sentence, as in a shell. The typed command is never run; KWOK only runs `cat` on a file with the answer.
 * The certificate is the API server's own: it does not verify kubelets unless told to.
 */
export class Kubelets {
  readonly #dir: string;
  readonly #kwokPort: number;
  readonly #exec: PlaneAgents['exec'];
  readonly #tls: { readonly key: string; readonly cert: string };
  readonly #servers = new Map<string, Server>();

  constructor(options: {
    readonly dir: string;
    readonly kwokPort: number;
    readonly exec: PlaneAgents['exec'];
    readonly tls: { key: string; cert: string };
  }) {
    this.#dir = options.dir;
    this.#kwokPort = options.kwokPort;
    this.#exec = options.exec;
    this.#tls = options.tls;
  }

  /** One TLS server for each node, so that a request is known to be for that node. None of them listens. */
  answerAs(node: string, connection: Socket): void {
    let server = this.#servers.get(node);
    if (!server) {
      server = createServer({ ...this.#tls, ALPNProtocols: ['http/1.1'] });
      server.on('request', (request, response) => this.#forward(node, request, response));
      server.on('upgrade', (request, socket, head) => this.#upgrade(node, request, socket as Socket, head));
      server.on('tlsClientError', (_error, socket) => socket.destroy());
      this.#servers.set(node, server);
    }
    server.emit('connection', connection);
  }

  async #forward(node: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = await this.#pathForKwok(node, request.url ?? '/');
    await untilListening(this.#kwokPort, kwokStartsWithinMs);
    const passed = httpRequest(
      {
        host: '127.0.0.1',
        port: this.#kwokPort,
        method: request.method,
        path,
        headers: request.headers,
      },
      (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        response.flushHeaders();
        answer.pipe(response);
      },
    );
    passed.on('error', (error) => {
      if (response.headersSent) response.destroy();
      else response.writeHead(502).end(`the pretended kubelet of ${node} does not answer: ${error.message}`);
    });
    response.on('close', () => passed.destroy());
    request.pipe(passed);
  }

  async #upgrade(node: string, request: IncomingMessage, socket: Socket, head: Buffer): Promise<void> {
    const path = await this.#pathForKwok(node, request.url ?? '/');
    await untilListening(this.#kwokPort, kwokStartsWithinMs);
    const kwok = connect(this.#kwokPort, '127.0.0.1', () => {
      const headers: string[] = [];
      for (let i = 0; i < request.rawHeaders.length; i += 2) {
        headers.push(`${request.rawHeaders[i]}: ${request.rawHeaders[i + 1]}`);
      }
      kwok.write(`${request.method} ${path} HTTP/1.1\r\n${headers.join('\r\n')}\r\n\r\n`);
      kwok.write(head);
      kwok.pipe(socket);
      socket.pipe(kwok);
    });
    kwok.on('error', () => socket.destroy());
    socket.on('error', () => kwok.destroy());
    kwok.on('close', () => socket.destroy());
    socket.on('close', () => kwok.destroy());
  }

  async #pathForKwok(node: string, given: string): Promise<string> {
    const { pathname, searchParams } = new URL(given, 'http://kubelet');
    const [, verb, namespace = '', pod = '', ...rest] = pathname.split('/');
    const container = rest.at(-1) ?? '';
    if (verb === 'containerLogs') return `/containerLogs/${namespace}/${node}/${container}?${searchParams}`;
    if (verb === 'exec') {
      const command = searchParams.getAll('command');
      searchParams.delete('command');
      for (const word of await this.#answering(node, { namespace, name: pod, container }, command))
        searchParams.append('command', word);
      return `/exec/${namespace}/${answeringPod}/${container}?${searchParams}`;
    }
    if (verb === 'portForward') return `/portForward/${namespace}/${answeringPod}?${searchParams}`;
    return given;
  }

  async #answering(
    node: string,
    pod: { namespace: string; name: string; container: string },
    command: readonly string[],
  ): Promise<readonly string[]> {
    const given = answerFile(this.#dir, node, pod.container, command);
    if (existsSync(given)) return ['cat', given];
    const answer = await this.#exec(pod, command).catch(() => null);
    const { stdout, stderr, exitCode } = answer ?? notFound(command);
    if (exitCode === 0) return ['cat', writeAnswer(this.#dir, stdout)];
    return ['sh', '-c', 'printf "%s" "$1" >&2; exit "$2"', 'sh', stderr, String(exitCode)];
  }
}

const notFound = (command: readonly string[]) => ({
  stdout: '',
  stderr: `${command[0] ?? ''}: command not found\n`,
  exitCode: 127,
});
