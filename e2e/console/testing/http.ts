import { type IncomingHttpHeaders, request } from 'node:http';
import { connect } from 'node:net';

export type Reply = { status: number; headers: IncomingHttpHeaders; body: string };
type Wish = { method?: string; headers?: Record<string, string>; body?: string };

/** One request on a connection of its own, with exactly these headers: fetch would not send Host, Origin or Sec-Fetch-*. */
export function ask(port: number, path: string, { method = 'GET', headers = {}, body }: Wish = {}): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const asked = request({
      host: '127.0.0.1',
      port,
      path,
      method,
      headers,
      agent: false,
      setHost: !('Host' in headers),
    });
    asked.on('error', reject);
    asked.on('response', (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (part: string) => {
        text += part;
      });
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, body: text }));
      response.on('error', reject);
    });
    if (body !== undefined && !('Transfer-Encoding' in headers))
      asked.setHeader('Content-Length', Buffer.byteLength(body));
    asked.end(body);
  });
}

/** Bytes as they are, and what comes back first: the head of an answer, or nothing. */
export function askRaw(port: number, text: string): Promise<string> {
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

/** As the sign-in page does. Answers the reply and the cookie to send from then on. */
export async function signIn(port: number, key: string): Promise<Reply & { cookie: string }> {
  const reply = await ask(port, '/sign-in', {
    method: 'POST',
    headers: { Origin: `http://127.0.0.1:${port}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ key }),
  });
  return { ...reply, cookie: reply.headers['set-cookie']?.[0]?.split(';', 1)[0] ?? '' };
}

/** The data of a stream's first snapshot, as a page of ours would ask for it. What comes before it (a problem, a heartbeat) is passed over. */
export function firstSnapshot(port: number, path: string, cookie: string): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const headers = { Cookie: cookie, 'Sec-Fetch-Site': 'same-origin' };
    const asked = request({ host: '127.0.0.1', port, path, headers, agent: false });
    asked.on('error', reject);
    asked.on('response', (response) => {
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
    asked.end();
  });
}
