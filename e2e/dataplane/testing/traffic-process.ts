/**
 * What runs in a pod or a node of a topology: it reads a question a line, does it, and writes an answer a line, in order. A server answers with its own
 * name, whom it sees, and what it was sent.
 */
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';

export type Question =
  | { readonly do: 'serve'; readonly name: string; readonly port: number }
  /** Opens a connection that stays, in place of an earlier one; `finish` sends the rest and takes the answer. */
  | { readonly do: 'open'; readonly to: string; readonly port: number }
  | { readonly do: 'finish' }
  | { readonly do: 'tcp'; readonly to: string; readonly port: number; readonly from?: string; readonly bytes?: number }
  | {
      readonly do: 'udp';
      readonly to: string;
      readonly port: number;
      readonly socket: 'connected' | 'unconnected';
      readonly times?: number;
      /** Between two of them. */
      readonly everyMs?: number;
      readonly clientPort?: number;
      readonly bytes?: number;
    };

export type Answer = {
  /** `ECONNREFUSED`, `silence` … or null. */
  readonly error: string | null;
  /** Who answered, each time. */
  readonly servers: readonly string[];
  /** `seen`: the client's address as the server saw it; `peer`: the address that the client believes to talk to: `10.0.0.1`. */
  readonly seen: string | null;
  readonly peer: string | null;
};

/** Long enough for a machine that is busy with others, and no test waits for it unless it expects silence. An emulated one is given more. */
const silentAfterMs = Number(process.env.SIGNALBOX_SILENT_AFTER_MS ?? 3000);

const nothing: Answer = { error: null, servers: [], seen: null, peer: null };
const plain = (address: string | undefined) => (address ?? '').replace(/^::ffff:/, '');

/** `name client number`: by how many bytes it was sent; a connection gets as many back after it. */
async function serve(name: string, port: number): Promise<Answer> {
  const tcp = createServer({ allowHalfOpen: true }, (socket) => {
    let bytes = 0;
    socket.on('data', (data) => {
      bytes += data.length;
    });
    socket.on('end', () => socket.end(`${name} ${plain(socket.remoteAddress)} ${bytes}\n${'.'.repeat(bytes)}`));
    socket.on('error', () => {});
  });
  tcp.listen(port, '::');
  await once(tcp, 'listening');
  const udp = createSocket({ type: 'udp6' });
  udp.on('message', (data, { address, port: of }) => {
    const reply = `${name} ${plain(address)} ${data.length}`;
    // What came in parts is answered in parts.
    udp.send(data.length > 2_000 ? reply.padEnd(data.length) : reply, of, address);
  });
  udp.bind(port, '::');
  await once(udp, 'listening');
  return nothing;
}

function read(text: string): { server: string; seen: string } {
  const [server = '', seen = ''] = text.split(' ');
  return { server, seen };
}

let open: Socket | null = null;

function connection({ to, port }: { readonly to: string; readonly port: number }): Socket {
  const socket = connect({ host: to, port, allowHalfOpen: true });
  socket.setTimeout(silentAfterMs, () => socket.destroy(Object.assign(new Error(), { code: 'silence' })));
  return socket;
}

async function openOne(question: Extract<Question, { do: 'open' }>): Promise<Answer> {
  open = connection(question);
  // An error until then is reported by `finish`.
  open.on('error', () => {});
  try {
    await once(open, 'connect');
    // It is used again when somebody asks, which may be later than an answer may take.
    open.setTimeout(0);
    open.write(Buffer.alloc(1));
    return { ...nothing, peer: plain(open.remoteAddress) };
  } catch (error) {
    return { ...nothing, error: codeOf(error) };
  }
}

async function finish(): Promise<Answer> {
  if (!open || open.destroyed) return { ...nothing, error: 'nothing is open' };
  open.setTimeout(silentAfterMs, () => open?.destroy(Object.assign(new Error(), { code: 'silence' })));
  const peer = plain(open.remoteAddress);
  open.end(Buffer.alloc(1));
  return await answerOf(open, 2, () => peer);
}

async function tcp({ to, port, bytes = 1 }: Extract<Question, { do: 'tcp' }>): Promise<Answer> {
  const socket = connection({ to, port });
  let peer: string | null = null;
  socket.on('connect', () => {
    peer = plain(socket.remoteAddress);
    socket.end(Buffer.alloc(bytes));
  });
  return await answerOf(socket, bytes, () => peer);
}

/** What a server says to so many bytes, when the end of them was sent. */
async function answerOf(socket: Socket, bytes: number, peerOf: () => string | null): Promise<Answer> {
  let text = '';
  socket.on('data', (data) => {
    text += data;
  });
  try {
    await once(socket, 'end');
    const [line = '', back = ''] = text.split('\n');
    const { server, seen } = read(line);
    const isWhole = line.endsWith(` ${bytes}`) && back.length === bytes;
    const error = isWhole ? null : `it got ${line} and ${back.length} bytes`;
    return { error, servers: [server], seen, peer: peerOf() };
  } catch (error) {
    return { ...nothing, error: codeOf(error) };
  }
}

async function udp({
  to,
  port,
  socket: kind,
  times = 1,
  everyMs = 0,
  clientPort,
  bytes = 1,
}: Extract<Question, { do: 'udp' }>): Promise<Answer> {
  const socket = createSocket(to.includes(':') ? 'udp6' : 'udp4');
  const servers: string[] = [];
  let answer: Answer = nothing;
  // An error between two questions is the answer to the next one.
  let failed: unknown = null;
  socket.on('error', (error) => {
    failed ??= error;
  });
  try {
    if (clientPort !== undefined) {
      socket.bind(clientPort);
      await once(socket, 'listening');
    }
    if (kind === 'connected') {
      socket.connect(port, to);
      await once(socket, 'connect');
    }
    for (let time = 0; time < times; time++) {
      if (time > 0 && everyMs > 0) await sleep(everyMs);
      if (failed !== null) throw failed;
      const signal = AbortSignal.timeout(silentAfterMs);
      const got = once(socket, 'message', { signal });
      got.catch(() => {});
      if (kind === 'connected') socket.send(Buffer.alloc(bytes));
      else socket.send(Buffer.alloc(bytes), port, to);
      const [data, from] = (await got) as [Buffer, { address: string }];
      const { server, seen } = read(data.toString());
      servers.push(server);
      answer = {
        error: null,
        servers,
        seen,
        peer: kind === 'connected' ? socket.remoteAddress().address : from.address,
      };
    }
    return answer;
  } catch (error) {
    return { ...nothing, servers, error: codeOf(error) };
  } finally {
    socket.close();
  }
}

function codeOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : String(error);
  return code === 'ABORT_ERR' ? 'silence' : code;
}

function answer(question: Question): Promise<Answer> {
  if (question.do === 'serve') return serve(question.name, question.port);
  if (question.do === 'open') return openOne(question);
  if (question.do === 'finish') return finish();
  return question.do === 'tcp' ? tcp(question) : udp(question);
}

const lines = createInterface({ input: process.stdin });
lines.on('close', () => process.exit(0));
for await (const line of lines) process.stdout.write(`${JSON.stringify(await answer(JSON.parse(line) as Question))}\n`);
