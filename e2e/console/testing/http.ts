import { type IncomingHttpHeaders, request } from 'node:http';
import { connect } from 'node:net';

export type Reply = { status: number; headers: IncomingHttpHeaders; body: string };
type RequestOptions = { method?: string; headers?: Record<string, string>; body?: string };

/** A console: where it listens, and the one Host that it answers to, `name:port`. */
export type At = { readonly port: number; readonly host: string };

/** A request on its own connection with exactly these headers; fetch would not send Host, Origin or Sec-Fetch-*. */
export function ask(
  { port, host }: At,
  path: string,
  { method = 'GET', headers = {}, body }: RequestOptions = {},
): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const sent = request({
      host: '127.0.0.1',
      port,
      path,
      method,
      headers: { Host: host, ...headers },
      agent: false,
    });
    sent.on('error', reject);
    sent.on('response', (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (part: string) => {
        text += part;
      });
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, body: text }));
      response.on('error', reject);
    });
    if (body !== undefined && !('Transfer-Encoding' in headers))
      sent.setHeader('Content-Length', Buffer.byteLength(body));
    sent.end(body);
  });
}

/** Sends raw bytes; returns the head of the answer, or an empty text. */
export function askRaw({ port }: Pick<At, 'port'>, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(text));
    let answer = '';
    socket.setEncoding('latin1');
    socket.setTimeout(15_000, () => socket.destroy(new Error('nothing ended the connection')));
    socket.on('data', (part: string) => {
      answer += part;
      if (answer.includes('\r\n\r\n')) socket.end();
    });
    socket.on('error', reject);
    socket.on('close', () => resolve(answer));
  });
}

/** Signs in like the sign-in page. Returns the reply and the session cookie. */
export async function signIn(at: At, key: string): Promise<Reply & { cookie: string }> {
  const reply = await ask(at, '/sign-in', {
    method: 'POST',
    headers: { Origin: `http://${at.host}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ key }),
  });
  return { ...reply, cookie: reply.headers['set-cookie']?.[0]?.split(';', 1)[0] ?? '' };
}

/** The data of a stream's first snapshot, skipping earlier events (a problem, a heartbeat). */
export function firstSnapshot({ port, host }: At, path: string, cookie: string): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const headers = { Host: host, Cookie: cookie, 'Sec-Fetch-Site': 'same-origin' };
    const sent = request({ host: '127.0.0.1', port, path, headers, agent: false });
    sent.on('error', reject);
    sent.on('response', (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (part: string) => {
        text += part;
        const event = text.split('\n\n').find((one, at, all) => at < all.length - 1 && /^event: ?snapshot$/m.test(one));
        const data = /^data: ?(.*)$/m.exec(event ?? '')?.[1];
        if (data === undefined) return;
        response.destroy();
        resolve(JSON.parse(data));
      });
      response.on('end', () => reject(new Error(`${response.statusCode}: ${text.slice(0, 500)}`)));
    });
    sent.end();
  });
}
