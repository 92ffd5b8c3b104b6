import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { connectClickHouse } from './connect.ts';
import { openDatabase } from './migrate.ts';

// e2e/contract/clickhouse.test.ts tests the real engine; this file tests errors that the real one cannot be made to give.
const ended: (() => void)[] = [];
afterEach(() => {
  for (const end of ended.splice(0)) end();
});

type Answer = { status?: number; headers?: Record<string, string>; body: string };

async function aServer(answer: (query: string) => Answer) {
  const requests: { url: string; authorization: string | undefined }[] = [];
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part);
    requests.push({ url: request.url ?? '', authorization: request.headers.authorization });
    const { status = 200, headers = {}, body } = answer(Buffer.concat(parts).toString());
    response.writeHead(status, headers).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  ended.push(() => server.close().closeAllConnections());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { requests, access: { url, database: 'signalbox', user: 'flows', password: 's3cret-word' } };
}

test.each(['22.8.5.29', '24.2.1.1'])(
  'a server of %s is refused as too old, and nothing is made there',
  async (version) => {
    const { access, requests } = await aServer(() => ({ body: `{"version":"${version}"}\n` }));
    await expect(openDatabase(access)).rejects.toMatchObject({
      kind: 'ends',
      message: `ClickHouse at ${access.url} is ${version}, which is too old: 24.3 or later is needed.`,
    });
    expect(requests).toHaveLength(1);
  },
);

test('user and password stand in a header, never in an address, an error or its cause', async () => {
  const { access, requests } = await aServer(() => ({
    status: 500,
    headers: { 'x-clickhouse-exception-code': '241' },
    body: 'Code: 241. DB::Exception: Memory limit exceeded\u001b[31m. (MEMORY_LIMIT_EXCEEDED)',
  }));
  const clickHouse = await connectClickHouse(access, 'signalbox');
  const error = await clickHouse.ask('SELECT ?', ['x']).catch((one: unknown) => one);
  await clickHouse.close();
  expect(error).toMatchObject({
    kind: 'waits',
    message: `ClickHouse at ${access.url} refuses: it has too little memory at the moment.`,
  });
  expect(requests[0]?.authorization).toBe(`Basic ${Buffer.from('flows:s3cret-word').toString('base64')}`);
  expect(`${requests[0]?.url} ${String(error)} ${JSON.stringify(error)}`).not.toContain('s3cret');
});

test.each([
  ['Code: 452. DB::Exception: Setting x should not be changed. (SETTING_CONSTRAINT_VIOLATION)', 'Setting x should'],
  ["Code: 164. DB::Exception: Cannot modify 'x' setting in readonly mode. (READONLY)", 'lets no settings be given'],
])('%s ends it', async (body, sentence) => {
  const { access } = await aServer(() => ({ status: 500, body }));
  await expect(openDatabase(access)).rejects.toMatchObject({
    kind: 'ends',
    message: expect.stringContaining(sentence),
  });
});

test.each([302, 401, 403, 404])('HTTP %i, which is not in words of ClickHouse, ends it', async (status) => {
  const { access } = await aServer(() => ({ status, body: '' }));
  const message = `${access.url} is not ClickHouse: it answered with HTTP ${status}.`;
  await expect(openDatabase(access)).rejects.toMatchObject({ kind: 'ends', message });
});

test.each([
  ['a redirect', { status: 302, headers: { location: 'http://127.0.0.1:1/' }, body: '' }, 'is not ClickHouse'],
  ['something else than ClickHouse', { body: '<html>Welcome</html>' }, 'is not ClickHouse'],
  ['a page of more lines', { body: '<html>\nWelcome\n</html>\n' }, 'is not ClickHouse'],
  ['odd words', { status: 400, body: 'Code: 62. DB::Exception: a\u001b[31m\nb. (SYNTAX_ERROR)' }, 'refuses: a'],
])('%s is a sentence without control characters', async (_what, answer, sentence) => {
  const { access } = await aServer(() => answer);
  const error = await openDatabase(access).catch((one: unknown) => one);
  expect(error).toMatchObject({ name: 'ClickHouseFault', message: expect.stringContaining(sentence) });
  expect((error as Error).message).not.toMatch(/\p{Cc}/u);
});
