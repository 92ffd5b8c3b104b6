import { createServer, type Server, type Socket } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import type { ProbeOptions } from '../port.ts';
import { probe } from './probe.ts';
import { certificates } from './testing/certificates.ts';
import { connectionTo } from './testing/client.ts';
import { json, type LocalServer, localServer } from './testing/local-server.ts';

/** Less than a probe takes that nobody limits, and long enough for a busy machine. */
const longMs = 4_500;

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

async function probing(host: string, port: number, options: ProbeOptions = {}, authority = certificates.authority) {
  const cluster = { 'certificate-authority-data': Buffer.from(authority).toString('base64') };
  const connection = await connectionTo('https://elsewhere.example:6443', { token: 'abcd' }, cluster);
  closing.push(connection.close);
  const services = { lookup: async () => ['127.0.0.1'], servers: ['127.0.0.1:9'] };
  return probe(connection, { host, port }, options, services);
}

async function apiServer(certificate?: { cert: string; key: string }, status = 200): Promise<LocalServer> {
  const server = await localServer((_request, response) => json(response, status, {}), certificate);
  closing.push(server.close);
  return server;
}

/** A server below HTTP, which does with a connection what the test says. */
async function rawServer(takes: (socket: Socket) => void): Promise<number> {
  const server: Server = createServer((socket) => {
    socket.on('error', () => {});
    takes(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(() => server.close());
  const address = server.address();
  return typeof address === 'object' && address ? address.port : 0;
}

test('name, connection, latency, certificate, readiness with our credentials', async () => {
  const server = await apiServer(certificates.server);
  const seen = await probing('127.0.0.1', server.port);
  expect(seen).toMatchObject({
    name: { resolved: true, addresses: ['127.0.0.1'], by: 'address' },
    connection: { made: true },
    certificate: {
      verified: true,
      names: ['127.0.0.1', 'api.example'],
      issuer: 'signalbox-test',
      expiresAt: expect.stringMatching(/^2126-/),
    },
    ready: { status: 200, ok: true, failing: [] },
    servers: [],
  });
  expect(seen.latency?.minMs).toBeLessThanOrEqual(seen.latency?.medianMs ?? -1);
  expect(server.requests.map(({ url, headers }) => [url, headers.authorization])).toEqual([
    ['/readyz?verbose', 'Bearer abcd'],
  ]);
});

test('a server that is not ready names what fails', async () => {
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

test.each([
  ['another name', certificates.stray, certificates.authority, ['elsewhere.example'], 'not made out to'],
  [
    'another authority',
    certificates.server,
    certificates.stranger,
    ['127.0.0.1', 'api.example'],
    "not signed by the cluster's",
  ],
  [
    'a certificate that is over',
    certificates.expired,
    certificates.expired.authority,
    ['127.0.0.1', 'api.example'],
    'has expired',
  ],
])('%s: what it shows is told, no credential is sent', async (_name, shown, authority, names, because) => {
  const server = await apiServer(shown);
  const seen = await probing('127.0.0.1', server.port, {}, authority);
  expect(seen).toMatchObject({
    connection: { made: true },
    certificate: { verified: false, names, because: expect.stringContaining(because) },
    ready: null,
  });
  expect(server.requests).toEqual([]);
});

test('what expired says when', async () => {
  const server = await apiServer(certificates.expired);
  const seen = await probing('127.0.0.1', server.port, {}, certificates.expired.authority);
  expect(seen.certificate).toMatchObject({ issuer: 'probe-test-ca', expiresAt: '2026-06-01T00:00:00.000Z' });
});

test('plain HTTP is never asked anything', async () => {
  const server = await apiServer();
  expect(await probing('127.0.0.1', server.port)).toMatchObject({
    certificate: { verified: false, names: [] },
    ready: null,
  });
  expect(server.requests).toEqual([]);
});

test('a closed port, one that cuts every connection, one that takes it and says nothing', async () => {
  expect(await probing('127.0.0.1', 1)).toMatchObject({
    connection: { made: false, because: expect.stringContaining('refused') },
    latency: null,
    certificate: null,
  });

  const cutting = await rawServer((socket) => socket.resetAndDestroy());
  const cut = await probing('127.0.0.1', cutting);
  // The cut comes before or after this machine has noticed the connection.
  expect([cut.connection.made ? cut.certificate?.verified : false, cut.ready]).toEqual([false, null]);

  const silent = await rawServer(() => {});
  const startedAt = performance.now();
  expect(await probing('127.0.0.1', silent, { timeoutMs: 300 })).toMatchObject({
    connection: { made: true },
    certificate: { verified: false, because: 'no answer within 0.3 s' },
  });
  expect(performance.now() - startedAt).toBeLessThan(longMs);
});

test('an address that swallows packets ends in time, and one that answers beside it is found', async () => {
  // RFC 5737: nobody has it. Where a machine refuses the route at once, that is an answer as well.
  const startedAt = performance.now();
  expect((await probing('192.0.2.1', 6443, { timeoutMs: 400 })).connection).toMatchObject({ made: false });
  expect(performance.now() - startedAt).toBeLessThan(longMs);
});

test('a slow server is waited for, and never longer than the limit', async () => {
  const slow = await localServer((_request, response) => {
    setTimeout(() => json(response, 200, {}), 150);
  }, certificates.server);
  closing.push(slow.close);
  expect((await probing('127.0.0.1', slow.port)).ready).toMatchObject({ ok: true });
  expect((await probing('127.0.0.1', slow.port, { timeoutMs: 100 })).ready).toBeNull();
});

test('it ends when nobody waits for it any more', async () => {
  const silent = await rawServer(() => {});
  const caller = new AbortController();
  setTimeout(() => caller.abort(), 50);
  const startedAt = performance.now();
  await probing('127.0.0.1', silent, { signal: caller.signal });
  expect(performance.now() - startedAt).toBeLessThan(longMs);
});

test('each API server is dialled by itself, at the same time, and none of them keeps the others', async () => {
  const good = await apiServer(certificates.server);
  const stray = await apiServer(certificates.stray);
  const silent = await rawServer(() => {});
  const startedAt = performance.now();
  const seen = await probing('api.example', good.port, {
    timeoutMs: 600,
    servers: [good.port, stray.port, silent, 1].map((port) => ({ host: '127.0.0.1', port })),
  });
  expect(performance.now() - startedAt).toBeLessThan(longMs);
  expect(seen).toMatchObject({ certificate: { verified: true }, ready: { ok: true } });
  expect(seen.servers).toMatchObject([
    { address: `127.0.0.1:${good.port}`, certificate: { verified: true }, ready: { ok: true } },
    { address: `127.0.0.1:${stray.port}`, certificate: { verified: false }, ready: null },
    { address: `127.0.0.1:${silent}`, connection: { made: true }, certificate: { verified: false } },
    { address: '127.0.0.1:1', connection: { made: false } },
  ]);
  // One for the endpoint, one for the server behind it, which is the same here.
  expect(good.requests).toHaveLength(2);
});

test('a name that cannot exist (too long: no resolver is asked)', async () => {
  const connection = await connectionTo('https://elsewhere.example:6443', { token: 'abcd' });
  closing.push(connection.close);
  expect(await probe(connection, { host: `${'x'.repeat(64)}.invalid`, port: 6443 }, {})).toMatchObject({
    name: { resolved: false },
    connection: { made: false },
    certificate: null,
    ready: null,
  });
});
