import { createServer } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { probe } from './probe.ts';
import { certificates } from './testing/certificates.ts';
import { connectionTo } from './testing/client.ts';
import { json, localServer } from './testing/local-server.ts';

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

const ca = { 'certificate-authority-data': Buffer.from(certificates.authority).toString('base64') };

async function probing(host: string, port: number, options = {}) {
  const connection = await connectionTo('https://elsewhere.example:6443', { token: 'abcd' }, ca);
  closing.push(connection.close);
  return probe(connection, { host, port }, options);
}

async function apiServer(certificate: { cert: string; key: string }, status = 200) {
  const server = await localServer((_request, response) => json(response, status, {}), certificate);
  closing.push(server.close);
  return server;
}

test('name, connection, certificate, readiness with our credentials', async () => {
  const server = await apiServer(certificates.server);
  expect(await probing('127.0.0.1', server.port)).toMatchObject({
    name: { resolved: true, addresses: ['127.0.0.1'] },
    connection: { made: true },
    certificate: { verified: true, names: ['127.0.0.1', 'api.example'] },
    ready: { status: 200, ok: true },
  });
  expect(server.requests.map(({ url, headers }) => [url, headers.authorization])).toEqual([
    ['/readyz?verbose', 'Bearer abcd'],
  ]);
});

test('a server that is not ready', async () => {
  const body =
    '[+]ping ok\n[-]etcd failed: reason withheld\n[-]poststarthook/rbac/bootstrap-roles failed: reason withheld\n';
  const server = await localServer((_request, response) => response.writeHead(500).end(body), certificates.server);
  closing.push(server.close);
  expect((await probing('127.0.0.1', server.port)).ready).toEqual({
    status: 500,
    ok: false,
    failing: ['etcd', 'poststarthook/rbac/bootstrap-roles'],
  });
});

test('a certificate of another name: its names are told, no credential is sent', async () => {
  const server = await apiServer(certificates.stray);
  expect(await probing('127.0.0.1', server.port)).toMatchObject({
    certificate: { verified: false, names: ['elsewhere.example'], because: expect.stringContaining('not made out to') },
    ready: null,
  });
  expect(server.requests).toEqual([]);
});

test('plain HTTP, a closed port, a server that says nothing', async () => {
  const plain = await localServer((_request, response) => json(response, 200, {}));
  closing.push(plain.close);
  expect(await probing('127.0.0.1', plain.port)).toMatchObject({
    certificate: { verified: false, names: [] },
    ready: null,
  });
  expect(plain.requests).toEqual([]);
  expect(await probing('127.0.0.1', 1)).toMatchObject({
    connection: { made: false, because: expect.stringContaining('refused') },
  });

  const silent = createServer(() => {});
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  closing.push(() => silent.close());
  const address = silent.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  const startedAt = performance.now();
  expect(await probing('127.0.0.1', port, { timeoutMs: 300 })).toMatchObject({
    connection: { made: true },
    certificate: { verified: false },
  });
  expect(performance.now() - startedAt).toBeLessThan(2000);
});

test('a name that cannot exist (too long: no resolver is asked)', async () => {
  expect(await probing(`${'x'.repeat(64)}.invalid`, 6443)).toMatchObject({
    name: { resolved: false },
    connection: { made: false },
    certificate: null,
    ready: null,
  });
});
