import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { execChannel as channel, type ExecResult, execProtocols } from '#lib/kube/index.ts';

/** RFC 6455 §1.3. */
const handshakeKey = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';
/** The most bytes of a container's output in one frame. */
const longestFrameBytes = 64 * 1024;
/** How long to wait for a client to close its end. */
const closingMs = 5_000;

/** Null if the request does not ask for a WebSocket with one of our protocols. */
export function execProtocol({ headers }: IncomingMessage): { name: string; key: string } | null {
  const key = headers['sec-websocket-key'];
  const offered = (headers['sec-websocket-protocol'] ?? '').split(',').map((one) => one.trim());
  const name = execProtocols.find((one) => offered.includes(one));
  return headers.upgrade?.toLowerCase() === 'websocket' && key && name ? { name, key } : null;
}

/** Sends a command's output and exit status over a WebSocket, and closes it. The client's data, which are standard input, are ignored. */
export function sendResult(socket: Duplex, { name, key }: { name: string; key: string }, result: ExecResult): void {
  const accept = createHash('sha1').update(`${key}${handshakeKey}`).digest('base64');
  socket.write(
    `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\nSec-WebSocket-Protocol: ${name}\r\n\r\n`,
  );
  for (const stream of ['stdout', 'stderr'] as const) {
    const bytes = Buffer.from(result[stream]);
    for (let from = 0; from < bytes.length; from += longestFrameBytes)
      socket.write(frame(binary, channel[stream], bytes.subarray(from, from + longestFrameBytes)));
  }
  socket.write(frame(binary, channel.status, Buffer.from(JSON.stringify(statusOf(result)))));
  endSoon(socket, frame(close, normalClosure >> 8, Buffer.from([normalClosure & 0xff])));
}

/** Sends the last bytes on a connection that Node has handed over, and closes it whether the client reads them or not. */
export function endSoon(socket: Duplex, words: string | Buffer): void {
  socket.end(words);
  socket.resume();
  setTimeout(() => socket.destroy(), closingMs).unref();
}

const binary = 0x82;
const close = 0x88;
const normalClosure = 1000;

/** One unmasked frame (RFC 6455 §5.2). `first` precedes the content: the channel, or the first byte of a close reason. */
function frame(opcode: number, first: number, content: Buffer): Buffer {
  const length = content.length + 1;
  const head = Buffer.alloc(length < 126 ? 2 : length < 65_536 ? 4 : 10);
  head[0] = opcode;
  head[1] = length < 126 ? length : length < 65_536 ? 126 : 127;
  if (head.length === 4) head.writeUInt16BE(length, 2);
  if (head.length === 10) head.writeBigUInt64BE(BigInt(length), 2);
  return Buffer.concat([head, Buffer.from([first]), content]);
}

function statusOf({ exitCode }: ExecResult) {
  if (exitCode === 0) return { metadata: {}, status: 'Success' };
  return {
    metadata: {},
    status: 'Failure',
    reason: 'NonZeroExitCode',
    message: `command terminated with non-zero exit code: exit code ${exitCode}`,
    details: { causes: [{ reason: 'ExitCode', message: String(exitCode) }] },
  };
}
