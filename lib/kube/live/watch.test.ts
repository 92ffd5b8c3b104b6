import type { ServerResponse } from 'node:http';
import { afterEach, expect, test } from 'vitest';
import { resources } from '#lib/spec/index.ts';
import type { WatchEvent } from '../port.ts';
import type { Connection } from './connection.ts';
import { connectionTo } from './testing/client.ts';
import { json, type LocalServer, localServer, statusBody } from './testing/local-server.ts';
import { watchResource } from './watch.ts';

let server: LocalServer;
let connection: Connection;
afterEach(async () => {
  await connection.close();
  await server.close();
});

const tuning = { stallMs: 1_200, backoff: { firstMs: 20, baseMs: 20, maxMs: 100 }, settledMs: 1_000 };

type Step = (response: ServerResponse) => void;

/** Each list and each watch gets the next step; the last one repeats. Returns what came, once `enough` says so, in short words. */
async function play(lists: Step[], watches: Step[], enough: (seen: string[]) => boolean): Promise<string[]> {
  const turn = { list: 0, watch: 0 };
  server = await localServer((request, response) => {
    const isWatch = request.url?.includes('watch=1');
    const steps = isWatch ? watches : lists;
    const index = isWatch ? turn.watch++ : turn.list++;
    (steps[index] ?? steps.at(-1))?.(response);
  });
  connection = await connectionTo(server.url);
  const events: string[] = [];
  const stop = AbortSignal.timeout(8_000);
  for await (const event of watchResource(connection, resources.nodes, { signal: stop }, tuning)) {
    events.push(inWords(event));
    if (enough(events)) return events;
  }
  throw new Error(`not enough: ${events.join(', ')}`);
}

/** All events until the stream ends, which `end` causes after the first complete set. */
async function eventsUntilSynced(events: AsyncIterable<WatchEvent>, end: () => void): Promise<string[]> {
  const seen: string[] = [];
  for await (const event of events) {
    seen.push(inWords(event));
    if (event.type === 'synced') setTimeout(end);
  }
  return seen;
}

function inWords(event: WatchEvent): string {
  switch (event.type) {
    case 'synced':
      return `synced ${event.objects.map(({ metadata }) => metadata.name).join('+')}@${event.resourceVersion}`;
    case 'bookmark':
      return `bookmark@${event.resourceVersion}`;
    case 'interrupted':
      return `interrupted ${event.because.code}`;
    default:
      return `${event.type} ${event.object.metadata.name}`;
  }
}

const listed =
  (name: string, resourceVersion: string): Step =>
  (response) =>
    json(response, 200, { kind: 'NodeList', metadata: { resourceVersion }, items: [{ metadata: { name } }] });
const refuse =
  (code: number): Step =>
  (response) =>
    json(response, code, statusBody(code, 'X'));
const event = (type: string, name: string, resourceVersion: string) =>
  `${JSON.stringify({ type, object: { apiVersion: 'v1', kind: 'Node', metadata: { name, resourceVersion } } })}\n`;
const stream =
  (...parts: string[]): Step =>
  (response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.flushHeaders();
    for (const part of parts) response.write(part);
  };
const streamAndEnd =
  (...parts: string[]): Step =>
  (response) => {
    stream(...parts)(response);
    response.end();
  };
const streamAndBreak =
  (...parts: string[]): Step =>
  (response) => {
    stream(...parts)(response);
    setTimeout(() => response.socket?.destroy(), 20);
  };
const expired = `${JSON.stringify({ type: 'ERROR', object: statusBody(410, 'Expired') })}\n`;
const watchesFrom = () =>
  server.requests.flatMap(({ url }) => {
    const query = new URL(url, 'http://h').searchParams;
    return query.get('watch') ? [query.get('resourceVersion')] : [];
  });
const last = (text: string) => (seen: string[]) => seen.at(-1) === text;

test('lists, follows, and resumes where the stream was closed', async () => {
  const seen = await play(
    [listed('a', '5')],
    [
      streamAndEnd(event('ADDED', 'b', '6'), event('BOOKMARK', '', '8')),
      stream(event('MODIFIED', 'b', '9'), event('DELETED', 'a', '10')),
    ],
    last('deleted a'),
  );
  expect(seen).toEqual(['synced a@5', 'added b', 'bookmark@8', 'modified b', 'deleted a']);
  expect(watchesFrom()).toEqual(['5', '8']);
});

test.each([
  ['as the answer', refuse(410)],
  ['in the stream', streamAndEnd(expired)],
  [
    'as another error in the stream',
    streamAndEnd(`${JSON.stringify({ type: 'ERROR', object: statusBody(500, 'X') })}\n`),
  ],
])('410 %s: the whole set comes again, at once', async (_name, step) => {
  const seen = await play(
    [listed('a', '5'), listed('b', '9')],
    [step, stream(event('ADDED', 'c', '10'))],
    last('added c'),
  );
  expect(seen).toEqual(['synced a@5', 'synced b@9', 'added c']);
  expect(watchesFrom()).toEqual(['5', '9']);
});

test('a definition that is updated twice closes the stream twice, and 410 comes after', async () => {
  const seen = await play(
    [listed('a', '5'), listed('b', '9')],
    [streamAndEnd(event('ADDED', 'x', '6')), streamAndEnd(), refuse(410), stream(event('ADDED', 'c', '10'))],
    last('added c'),
  );
  expect(seen).toEqual(['synced a@5', 'added x', 'synced b@9', 'added c']);
});

test('410 again and again is waited out, and said', async () => {
  const seen = await play(
    [listed('a', '5')],
    [refuse(410)],
    (all) => all.filter((each) => each === 'interrupted expired').length >= 2,
  );
  expect(seen.slice(0, 3)).toEqual(['synced a@5', 'synced a@5', 'interrupted expired']);
});

test('a broken connection is said and resumed, without listing again', async () => {
  const seen = await play(
    [listed('a', '5')],
    [streamAndBreak(event('ADDED', 'b', '6'), '{"type":"ADD'), stream(event('ADDED', 'c', '7'))],
    last('added c'),
  );
  expect(seen).toEqual(['synced a@5', 'added b', 'interrupted unreachable', 'added c']);
  expect(watchesFrom()).toEqual(['5', '6']);
});

test('a stream that falls silent is resumed; when silence stays, the set is read again', async () => {
  const seen = await play([listed('a', '5'), listed('b', '9')], [stream()], last('synced b@9'));
  expect(seen).toEqual(['synced a@5', 'synced b@9']);
  expect(watchesFrom()).toEqual(['5', '5']);
});

test('a server that closes each stream at once is not stormed', async () => {
  const seen = await play([listed('a', '5')], [streamAndEnd()], (all) => all.length >= 4);
  expect(seen.slice(1)).toEqual(Array(3).fill('interrupted unreachable'));
});

test('a kind that is not served is tried again', async () => {
  const seen = await play([refuse(404), listed('a', '5')], [stream(event('ADDED', 'b', '6'))], last('added b'));
  expect(seen).toEqual(['interrupted not-served', 'synced a@5', 'added b']);
});

test('what waiting cannot fix is thrown', async () => {
  await expect(play([refuse(403)], [], () => false)).rejects.toMatchObject({
    code: 'forbidden',
    detail: { rule: { verb: 'list' } },
  });
});

test('who may list but not watch is told which rule is missing', async () => {
  await expect(play([listed('a', '1')], [refuse(403)], () => false)).rejects.toMatchObject({
    code: 'forbidden',
    detail: { rule: { verb: 'watch', group: '', resource: 'nodes' } },
  });
});

test('a watch that ran asks again when a starting server refuses it', async () => {
  const seen = await play(
    [listed('a', '5')],
    [streamAndEnd(event('ADDED', 'b', '6')), refuse(403), refuse(401), stream(event('ADDED', 'c', '7'))],
    last('added c'),
  );
  expect(seen).toEqual(['synced a@5', 'added b', 'interrupted forbidden', 'interrupted unauthorized', 'added c']);
});

test('nonsense in the stream is said, and the set comes again', async () => {
  const seen = await play(
    [listed('a', '5'), listed('b', '9')],
    [streamAndEnd('<html>\n'), stream()],
    last('synced b@9'),
  );
  expect(seen).toEqual(['synced a@5', 'interrupted protocol', 'synced b@9']);
});

test('it ends quietly when its signal aborts, or when the client is closed', async () => {
  server = await localServer((request, response) =>
    request.url?.includes('watch=1') ? stream()(response) : listed('a', '5')(response),
  );
  connection = await connectionTo(server.url);
  const stop = new AbortController();
  const aborted = await eventsUntilSynced(watchResource(connection, resources.nodes, { signal: stop.signal }), () =>
    stop.abort(),
  );
  const closed = await eventsUntilSynced(watchResource(connection, resources.nodes, {}), () => void connection.close());
  expect([aborted, closed]).toEqual([['synced a@5'], ['synced a@5']]);
});
