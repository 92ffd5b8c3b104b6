import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { type ADoor, aDoor, canary, stateOf } from './testing/a-door.ts';
import { actionsOf } from './testing/actions.ts';
import { faultsOf } from './testing/judge.ts';
import { printLine } from './testing/print-line.ts';
import { type Answer, type RawReply, send } from './testing/wire.ts';

let door: ADoor;
let before: Record<string, string>;
beforeAll(async () => {
  door = await aDoor(inject('consoleBuild'));
  before = stateOf(door.state);
});
afterAll(() => door?.close());

const total = { tried: 0, in: 0 };
afterAll(() => printLine(`hostile bytes: ${total.tried} tried, ${total.in} let in`));

/** The pieces to send, and the allowed sequences of statuses, joined by spaces; empty: the connection may be closed without an answer. */
type Row = readonly [what: string, pieces: readonly string[], statuses: RegExp];

async function hold(rows: readonly Row[]): Promise<void> {
  const wrong = await Promise.all(
    rows.map(async ([what, pieces, statuses]) => {
      // One answer more than anything may get would be a second request that was smuggled in.
      const heard = await send(pieces, {
        port: door.own.port,
        answers: 9,
        patienceMs: 60_000,
        holds: (answers) => statuses.test(statusesOf(answers)),
      });
      return faults(heard, statuses).map((fault) => `${what}: ${fault}`);
    }),
  );
  total.tried += rows.length;
  total.in += wrong.flat().length;
  expect(wrong.flat()).toEqual([]);
}

const statusesOf = (answers: readonly Answer[]) => answers.map(({ status }) => status).join(' ');

function faults({ answers, ...heard }: RawReply, statuses: RegExp): string[] {
  const got = statusesOf(answers);
  const request = { method: 'GET', target: '/', hosts: [door.own.host], headers: [] };
  // Kept open for further requests, or closed: both are right.
  const others = faultsOf(request, door.own, 'public', { answers, ...heard, end: 'closed' });
  const known = others.filter((fault) => !/^(?:public, and answered|no answer$)/.test(fault));
  return statuses.test(got) ? known : [`answered ${got || 'nothing'}`, ...known];
}

const host = () => `Host: ${door.own.host}\r\n`;
const cookie = () => `Cookie: ${door.cookies.valid}\r\n`;
const origin = () => `Origin: ${door.own.origin}\r\n`;
const owner = () => `${host()}${cookie()}${origin()}`;
const refused = /^(?:4\d\d)?$/;

/** The request to smuggle in. If the console answered it, that would be the second answer. */
const inner = () => `GET / HTTP/1.1\r\n${host()}${cookie()}\r\n`;

describe('a request that two readers would end at different places is refused, and nothing behind it is read', () => {
  const chunked = 'Transfer-Encoding: chunked\r\n';
  const lengthOf = () => `Content-Length: ${inner().length + 5}\r\n`;
  const rows: readonly (readonly [string, () => string])[] = [
    ['both lengths', () => `${lengthOf()}${chunked}`],
    ['both lengths, the other way', () => `${chunked}${lengthOf()}`],
    ['two lengths', () => 'Content-Length: 0\r\nContent-Length: 5\r\n'],
    ['the same length twice', () => 'Content-Length: 5\r\nContent-Length: 5\r\n'],
    ['two lengths in one', () => 'Content-Length: 0, 5\r\n'],
    ['a length with a sign', () => 'Content-Length: +5\r\n'],
    ['a negative length', () => 'Content-Length: -1\r\n'],
    ['a length in hexadecimal', () => 'Content-Length: 0x5\r\n'],
    ['a length with a point', () => 'Content-Length: 5.0\r\n'],
    ['a length with words', () => 'Content-Length: 5 x\r\n'],
    ['no length', () => 'Content-Length:\r\n'],
    ['a length beyond 64 bits', () => 'Content-Length: 18446744073709551621\r\n'],
    ['a space before the colon', () => 'Content-Length : 5\r\n'],
    ['a name with a tab', () => 'Content-Length\t: 5\r\n'],
    ['a folded length', () => 'Content-Length:\r\n 5\r\n'],
    ['a folded encoding', () => 'Transfer-Encoding:\r\n chunked\r\n'],
    ['an encoding nobody knows', () => 'Transfer-Encoding: xchunked\r\n'],
    ['chunked, and then something', () => 'Transfer-Encoding: chunked, identity\r\n'],
    ['something, and then chunked', () => 'Transfer-Encoding: identity, chunked\r\n'],
    ['two encodings', () => `${chunked}Transfer-Encoding: identity\r\n`],
    ['an encoding in quotes', () => 'Transfer-Encoding: "chunked"\r\n'],
    ['an encoding after a vertical tab', () => 'Transfer-Encoding: \u000bchunked\r\n'],
    ['an encoding before a NUL', () => 'Transfer-Encoding: chunked\u0000\r\n'],
    ['an encoding with a space before the colon', () => 'Transfer-Encoding : chunked\r\n'],
    ['an encoding behind a bare line feed', () => 'X: x\nTransfer-Encoding: chunked\r\n'],
    ['an encoding behind a bare carriage return', () => 'X: x\rTransfer-Encoding: chunked\r\n'],
    ['in chunks', () => chunked],
  ];
  const bodies = [
    ['', () => `0\r\n\r\n${inner()}`],
    [' and nothing', () => ''],
  ] as const;
  test.each(['POST', 'GET'])('%s', async (method) => {
    const all = rows.flatMap(([what, fields]) =>
      bodies.map(([and, body]): Row => {
        const head = `${method} /clusters/${door.slug} HTTP/1.1\r\n${owner()}${fields()}\r\n`;
        return [`${what}${and}`, [head + body()], refused];
      }),
    );
    await hold(all);
  });
});

test('lines that are none', () =>
  hold([
    ['bare line feeds', [`GET / HTTP/1.1\n${owner().replaceAll('\r', '')}\n`], refused],
    ['bare carriage returns', [`GET / HTTP/1.1\r${owner().replaceAll('\n', '')}\r`], refused],
    ['a header that is folded', [`GET / HTTP/1.1\r\n${owner()}X: a\r\n b\r\n\r\n`], refused],
    ['a Host that is folded', [`GET / HTTP/1.1\r\nHost:\r\n ${door.own.host}\r\n\r\n`], refused],
    ['a Cookie that is folded', [`GET / HTTP/1.1\r\n${host()}X: x\r\n ${cookie()}\r\n`], refused],
    ['NUL in a value', [`GET / HTTP/1.1\r\n${owner()}X: a\u0000b\r\n\r\n`], refused],
    ['NUL in a name', [`GET / HTTP/1.1\r\n${owner()}X\u0000: a\r\n\r\n`], refused],
    ['NUL in the Host', [`GET / HTTP/1.1\r\nHost: ${door.own.host}\u0000\r\n\r\n`], refused],
    ['a name that is empty', [`GET / HTTP/1.1\r\n${owner()}: a\r\n\r\n`], refused],
    ['a line without colon', [`GET / HTTP/1.1\r\n${owner()}X\r\n\r\n`], refused],
    ['a space before the first header', [`GET / HTTP/1.1\r\n ${host()}\r\n`], refused],
    ['a name of letters outside ASCII', [`GET / HTTP/1.1\r\n${owner()}\u00e4: a\r\n\r\n`], refused],
    ['no version', [`GET /\r\n${host()}\r\n`], /^(?:303|4\d\d)?$/],
    ['version 0.9', [`GET / HTTP/0.9\r\n${host()}\r\n`], /^(?:303|4\d\d)?$/],
    ['version 1.2', [`GET / HTTP/1.2\r\n${owner()}\r\n`], refused],
    ['version 3', [`GET / HTTP/3\r\n${owner()}\r\n`], refused],
    ['another protocol', [`GET / RTSP/1.0\r\n${host()}\r\n`], /^(?:303|4\d\d)?$/],
    ['the preface of HTTP/2', ['PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'], refused],
    ['TLS', ['\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001\u00fc\u0003\u0003'], refused],
    ['SSH', ['SSH-2.0-OpenSSH_9.9\r\n'], refused],
    ['Redis', ['*1\r\n$4\r\nPING\r\n'], refused],
    ['SMTP', ['EHLO x\r\nMAIL FROM:<x>\r\n'], refused],
    ['noise', [String.fromCharCode(...Array.from({ length: 400 }, (_, at) => (at * 7 + 128) % 256))], refused],
  ]));

test('no Host, two, or the name in the address instead', () =>
  hold([
    ['no Host', [`GET / HTTP/1.1\r\n${cookie()}\r\n`], refused],
    ['no Host, long ago', [`GET / HTTP/1.0\r\n${cookie()}\r\n`], refused],
    ['two Hosts', [`GET / HTTP/1.1\r\n${owner()}Host: evil.example\r\n\r\n`], refused],
    ['two Hosts, long ago', [`GET / HTTP/1.0\r\nHost: evil.example\r\n${owner()}\r\n`], refused],
    ['a whole address', [`GET http://${door.own.host}/ HTTP/1.1\r\n${owner()}\r\n`], refused],
    ['a whole address of ours', [`GET http://${door.own.host}/ HTTP/1.1\r\nHost: evil.example\r\n\r\n`], refused],
    ['a tunnel', [`CONNECT ${door.own.host} HTTP/1.1\r\n${owner()}\r\n${inner()}`], refused],
    ['a tunnel elsewhere', [`CONNECT evil.example:443 HTTP/1.1\r\n${owner()}\r\n`], refused],
    ['the Host in a trailer', [`GET / HTTP/1.1\r\n${chunkedOf('')}${host()}${cookie()}\r\n`], refused],
  ]));

test('nothing is upgraded', () => {
  const upgrades = ['websocket', 'h2c', 'TLS/1.0', 'connect-udp', 'x', 'h2c, websocket'];
  return hold(
    upgrades.flatMap((to): Row[] => {
      const fields = `Connection: Upgrade, HTTP2-Settings\r\nUpgrade: ${to}\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n`;
      return ['/', `/api/clusters/${door.slug}/events`, '/_next/webpack-hmr', '/sign-in'].map((path) => [
        `${to} at ${path}`,
        [`GET ${path} HTTP/1.1\r\n${owner()}Sec-Fetch-Site: same-origin\r\n${fields}\r\n${inner()}`],
        /^(?:4\d\d)?( 200)?$/,
      ]);
    }),
  );
});

test('several requests on one connection are judged one by one', async () => {
  const pages = [
    `GET /sign-in HTTP/1.1\r\n${host()}\r\n`,
    `GET / HTTP/1.1\r\n${host()}\r\n`,
    `GET /api/clusters/x/drafts/y/release HTTP/1.1\r\n${owner()}\r\n`,
    `GET / HTTP/1.1\r\nHost: evil.example\r\n${cookie()}\r\n`,
    `GET / HTTP/1.1\r\n${host()}\r\n`,
    `POST / HTTP/1.1\r\n${host()}${cookie()}Content-Length: 2\r\n\r\n[]`,
  ];
  await hold([
    ['a session does not stay on a connection', [pages.join('')], /^200 303 409 421 303 403$/],
    ['in pieces', pages, /^200 303 409 421 303 403$/],
    [
      'broken in the middle of a name',
      [pages.join('').slice(0, 60), pages.join('').slice(60)],
      /^200 303 409 421 303 403$/,
    ],
    ['long ago, and kept', [`GET / HTTP/1.0\r\n${host()}Connection: keep-alive\r\n\r\n`.repeat(3)], /^303 303 303$/],
    ['two hundred at once', [pages[1]?.repeat(200) ?? ''], /^303(?: 303)+$/],
    ['after what cannot be read', [`GET / HTTP/1.1\r\nbroken\r\n\r\n${inner()}`], refused],
    ['after a refused body', [`POST / HTTP/1.1\r\n${host()}Content-Length: 4\r\n\r\nGET ${inner()}`], refused],
  ]);
});

test('what expects something gets no more than others', () =>
  hold([
    ['a continue', [`POST / HTTP/1.1\r\n${host()}Expect: 100-continue\r\nContent-Length: 4\r\n\r\n`], refused],
    ['anything else', [`GET / HTTP/1.1\r\n${host()}Expect: x\r\n\r\n`], /^303$/],
    ['anything else, of another Host', [`GET / HTTP/1.1\r\nHost: evil.example\r\nExpect: x\r\n\r\n`], /^421$/],
  ]));

describe('too much of it', () => {
  test('headers', () =>
    hold([
      ['one of 70 KiB', [`GET / HTTP/1.1\r\n${owner()}X: ${'a'.repeat(70_000)}\r\n\r\n`], /^431$/],
      ['a name of 70 KiB', [`GET / HTTP/1.1\r\n${owner()}${'a'.repeat(70_000)}: x\r\n\r\n`], /^431$/],
      ['an address of 70 KiB', [`GET /${'a'.repeat(70_000)} HTTP/1.1\r\n${owner()}\r\n`], /^4(?:14|31)$/],
      ['a method of 70 KiB', [`${'A'.repeat(70_000)} / HTTP/1.1\r\n${owner()}\r\n`], refused],
      ['five thousand', [`GET / HTTP/1.1\r\n${host()}${'a: b\r\n'.repeat(5000)}\r\n`], /^(?:303|431)$/],
      ['fifty thousand', [`GET / HTTP/1.1\r\n${host()}${'a: b\r\n'.repeat(50_000)}\r\n`], /^431$/],
      // Node reads two thousand headers at most: what would make the request another one stands behind them.
      [
        'a second Host behind thousands',
        [`GET / HTTP/1.1\r\n${owner()}${'a: b\r\n'.repeat(2500)}Host: evil.example\r\n\r\n`],
        /^(?:4\d\d|200)$/,
      ],
      [
        'a foreign Origin behind thousands',
        [
          `POST / HTTP/1.1\r\n${host()}${cookie()}${'a: b\r\n'.repeat(2500)}Origin: http://evil.example\r\nContent-Length: 0\r\n\r\n`,
        ],
        refused,
      ],
      [
        'a body behind thousands',
        [`GET / HTTP/1.1\r\n${host()}${'a: b\r\n'.repeat(2500)}Content-Length: ${inner().length}\r\n\r\n${inner()}`],
        /^(?:4\d\d|303)$/,
      ],
    ]));

  test('bodies', async () => {
    const action = actionsOf(inject('consoleBuild')).find(({ name }) => name === 'askRun')?.id ?? '';
    const post = (path: string, fields: string, body: string): string =>
      `POST ${path} HTTP/1.1\r\n${owner()}Content-Type: text/plain;charset=UTF-8\r\n${fields}\r\n${body}`;
    const length = (bytes: number) => `Content-Length: ${bytes}\r\n`;
    // A page that does not have the action: Next reads no body then. Where it has it, what is too long or no call ends in Next's own 500.
    const forwarded = `Next-Action: ${action}\r\nX-Action-Forwarded: 1\r\nTransfer-Encoding: chunked\r\n`;
    const zipped = gzipSync(Buffer.alloc(50_000_000, ' ')).toString('latin1');
    const megabyte = `${(1024 * 1024).toString(16)}\r\n${'x'.repeat(1024 * 1024)}\r\n`;
    await hold([
      ['a page, one more than it may have', [post('/', length(1_048_577), '')], /^413$/],
      ['a page, beyond what there is', [post('/', length(Number.MAX_SAFE_INTEGER), '')], /^413$/],
      ['a key, one more than it may have', [post('/sign-in', length(4097), '')], /^413$/],
      [
        'a key that is longer than it says',
        [post('/sign-in', length(2), `{}${'x'.repeat(100_000)}`)],
        /^400(?: 400)?$/,
      ],
      ['a key in chunks', [post('/sign-in', 'Transfer-Encoding: chunked\r\n', `${megabyte}0\r\n\r\n`)], /^411$/],
      ['a forwarded key in chunks', [post('/sign-in', forwarded, `${megabyte}0\r\n\r\n`)], /^411$/],
      [
        'a forwarded action of five megabytes',
        [post('/reference', forwarded, `${megabyte.repeat(5)}0\r\n\r\n`)],
        /^4\d\d$/,
      ],
      [
        'chunks with extensions',
        [post('/reference', forwarded, `1;${'x'.repeat(20_000)}\r\nx\r\n0\r\n\r\n`)],
        /^4\d\d$/,
      ],
      ['a chunk of no length', [post('/reference', forwarded, 'x\r\n\r\n')], /^4\d\d$/],
      ['a chunk of a negative length', [post('/reference', forwarded, '-1\r\n\r\n')], /^4\d\d$/],
      ['a chunk beyond 64 bits', [post('/reference', forwarded, 'fffffffffffffffff\r\n')], /^4\d\d$/],
      [
        'what is small and was large',
        [post('/reference', `Content-Encoding: gzip\r\nNext-Action: ${action}\r\n${length(zipped.length)}`, zipped)],
        /^[24]\d\d$/,
      ],
    ]);
  });
});

test('what never comes to its end is given up within 16 s, and keeps nobody else waiting', async () => {
  const { port } = door.own;
  const began = performance.now();
  const slow = [`GET / HTTP/1.1\r\n${host()}`, 'GET', `GET / HTTP/1.1\r\n${'X: x\r\n'.repeat(50)}`];
  const waiting = slow.map((start) => send([start], { port, patienceMs: 20_000 }));
  const others = Array.from({ length: 100 }, () =>
    send([`GET /sign-in HTTP/1.1\r\n${host()}`], { port, patienceMs: 20_000 }),
  );
  await new Promise((later) => setTimeout(later, 200));
  expect((await door.read('/')).body).toContain(canary);
  expect(performance.now() - began).toBeLessThan(15_000);
  for (const heard of await Promise.all([...waiting, ...others])) {
    expect(heard.end).not.toBe('silent');
    expect(faults(heard, /^(?:408)?$/)).toEqual([]);
  }
  total.tried += slow.length + others.length;
});

test('afterwards nothing was written, and the session is as good as before', async () => {
  expect(stateOf(door.state)).toEqual(before);
  expect((await door.read('/')).body).toContain(canary);
});

function chunkedOf(text: string): string {
  return `Transfer-Encoding: chunked\r\n\r\n${text.length.toString(16)}\r\n`;
}
