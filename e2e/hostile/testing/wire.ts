import { connect } from 'node:net';

/** A received HTTP answer. Names of headers are lower-case; the values of repeated headers are joined by `, `. */
export type Answer = { status: number; headers: Record<string, string>; body: string };

/** `end`: how the connection ended; `kept`: all awaited answers came, and the console kept it open. */
export type RawReply = { answers: Answer[]; end: 'kept' | 'closed' | 'reset' | 'silent'; tookMs: number };

export type Wire = {
  port: number;
  /** The address to connect to. */
  to?: string;
  /** Answers to wait for before this side closes. */
  answers?: number;
  /** Longest wait in milliseconds; after that the answers so far are returned with the end `silent`. */
  patienceMs?: number;
  /** Whether the answers so far are the awaited ones. Reading continues for `settleMs` after that, to notice an answer too many. */
  holds?: (answers: readonly Answer[]) => boolean;
  settleMs?: number;
  /** The request's method: an answer to HEAD has no body, whatever its Content-Length. */
  method?: string;
};

/** Sends these bytes on a connection of their own, in one piece or in several, and reads what comes back. Never rejects. */
export function send(
  pieces: readonly (string | Buffer)[],
  { port, to = '127.0.0.1', answers: wanted = 1, patienceMs = 20_000, holds, settleMs = 3_000, method = 'GET' }: Wire,
): Promise<RawReply> {
  const began = performance.now();
  return new Promise((resolve) => {
    const socket = connect(port, to);
    let got: Buffer = Buffer.alloc(0);
    let settling: NodeJS.Timeout | null = null;
    const settle = (answers: readonly Answer[]) => {
      if (holds?.(answers)) settling ??= setTimeout(() => finish('silent'), settleMs);
    };
    const finish = (end: RawReply['end']) => {
      clearTimeout(timer);
      if (settling) clearTimeout(settling);
      // Resets the connection, so that the kernel keeps no TIME_WAIT entry for a minute: thousands of them make every look-up in its tables of sockets slow.
      socket.resetAndDestroy();
      resolve({ answers: answersIn(got, method, 'whole'), end, tookMs: performance.now() - began });
    };
    const timer = setTimeout(() => finish('silent'), patienceMs);
    settle([]);
    socket.on('connect', async () => {
      for (const piece of pieces) {
        if (socket.destroyed) return;
        socket.write(typeof piece === 'string' ? Buffer.from(piece, 'latin1') : piece);
        if (pieces.length > 1) await new Promise((later) => setTimeout(later, 15));
      }
    });
    socket.on('data', (part) => {
      got = got.length === 0 ? part : Buffer.concat([got, part]);
      const answers = answersIn(got, method, 'partly');
      if (answers.length >= wanted) finish('kept');
      else settle(answers);
    });
    socket.on('end', () => finish('closed'));
    socket.on('error', () => finish('reset'));
    socket.on('close', () => finish('closed'));
  });
}

/** Parses answers. `partly`: only complete ones, and event streams by their head. `whole`: also one that was cut off. */
function answersIn(bytes: Buffer, method: string, how: 'partly' | 'whole'): Answer[] {
  const found: Answer[] = [];
  let at = 0;
  while (at < bytes.length) {
    const headEnd = bytes.indexOf('\r\n\r\n', at);
    if (headEnd < 0) break;
    const [line = '', ...fields] = bytes.toString('latin1', at, headEnd).split('\r\n');
    const status = Number(/^HTTP\/1\.[01] (\d{3})/.exec(line)?.[1] ?? 0);
    const headers: Record<string, string> = {};
    for (const field of fields) {
      const [name = '', ...rest] = field.split(':');
      const key = name.toLowerCase();
      const value = rest.join(':').trim();
      headers[key] = key in headers ? `${headers[key]}, ${value}` : value;
    }
    at = headEnd + 4;
    // 100 Continue is not an answer.
    if (status >= 100 && status < 200) continue;
    const body = bodyAt(bytes, at, headers, method === 'HEAD' || status === 304 || status === 204);
    if (body === null) {
      const isStream = headers['content-type']?.startsWith('text/event-stream') ?? false;
      if (how === 'whole' || isStream) found.push({ status, headers, body: bytes.toString('utf8', at) });
      break;
    }
    found.push({ status, headers, body: body.text });
    at = body.end;
  }
  return found;
}

/** The body of an answer; null if it is not complete. */
function bodyAt(
  bytes: Buffer,
  start: number,
  headers: Record<string, string>,
  isEmpty: boolean,
): { text: string; end: number } | null {
  if (isEmpty) return { text: '', end: start };
  if (headers['transfer-encoding'] !== undefined) {
    const parts: Buffer[] = [];
    let at = start;
    for (;;) {
      const lineEnd = bytes.indexOf('\r\n', at);
      if (lineEnd < 0) return null;
      const length = Number.parseInt(bytes.toString('latin1', at, lineEnd), 16);
      const end = lineEnd + 2 + length + 2;
      if (Number.isNaN(length) || bytes.length < end) return null;
      if (length === 0) return { text: Buffer.concat(parts).toString('utf8'), end };
      parts.push(bytes.subarray(lineEnd + 2, lineEnd + 2 + length));
      at = end;
    }
  }
  const length = headers['content-length'];
  if (length === undefined) return null;
  const end = start + Number(length);
  return bytes.length < end ? null : { text: bytes.toString('utf8', start, end), end };
}
