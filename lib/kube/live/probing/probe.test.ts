import { Resolver } from 'node:dns/promises';
import { existsSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { TLSSocket } from 'node:tls';
import { afterEach, expect, test } from 'vitest';
import { testFolder } from '#lib/folders/testing/test-folder.ts';
import type { ProbeOptions } from '../../port.ts';
import { certificates } from '../testing/certificates.ts';
import { connectionTo } from '../testing/client.ts';
import { json, type LocalServer, localServer, statusBody } from '../testing/local-server.ts';
import { nameServer, type Zone } from '../testing/name-server.ts';
import { probe } from './probe.ts';

/** Less than a probe takes that nobody limits, and long enough for a busy machine. */
const longMs = 12_000;

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

/** All that tests have is loopback: the rule of addresses stands aside, and has tests of its own. */
const anyAddress = { lookup: async () => ['127.0.0.1'], servers: ['127.0.0.1:9'], mayNotDial: () => null };

async function aConnection(server = 'https://elsewhere.example:6443', authority = certificates.authority, more = {}) {
  const cluster = { 'certificate-authority-data': Buffer.from(authority).toString('base64'), ...more };
  const { cert, key } = certificates.client;
  const user = {
    token: 'abcd',
    'client-certificate-data': Buffer.from(cert).toString('base64'),
    'client-key-data': Buffer.from(key).toString('base64'),
    as: 'somebody',
  };
  const connection = await connectionTo(server, user, cluster);
  closing.push(connection.close);
  return connection;
}

async function probing(host: string, port: number, options: ProbeOptions = {}, authority = certificates.authority) {
  return probe(await aConnection(undefined, authority), { host, port }, options, anyAddress);
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

test('name, connection, latency, certificate, readiness, and nothing that says who asks', async () => {
  const client = { certificates: [] as string[] };
  const server = await localServer(
    (request, response) => {
      const { socket } = request;
      if (socket instanceof TLSSocket) client.certificates.push(JSON.stringify(socket.getPeerCertificate()));
      json(response, 200, {}, { 'set-cookie': 'a=b' });
    },
    { ...certificates.server, ca: certificates.authority },
  );
  closing.push(server.close);
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
    dialled: [`127.0.0.1:${server.port}`],
    leftAlone: [],
  });
  expect(seen.latency?.minMs).toBeLessThanOrEqual(seen.latency?.medianMs ?? -1);
  expect(server.requests.map(({ url, headers }) => [url, headers])).toEqual([
    ['/readyz?verbose', { host: `127.0.0.1:${server.port}`, connection: 'close' }],
  ]);
  expect(client.certificates).toEqual(['{}']);
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
  ['another name', certificates.stray, certificates.authority, ['elsewhere.example'], 'for another name or address'],
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
  // This address is reserved for documentation (RFC 5737). A machine may also refuse the route at once, which is an answer too.
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
    timeoutMs: 2_500,
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

test.each([
  [401, 'Unauthorized'],
  [403, 'Forbidden'],
])('%i of an API server says that one is there; the same number of a kubelet does not', async (status, reason) => {
  const refusing = await localServer(
    (_, response) => json(response, status, statusBody(status, reason)),
    certificates.server,
  );
  const kubelet = await localServer((_, response) => response.writeHead(status).end(reason), certificates.server);
  closing.push(refusing.close, kubelet.close);
  expect((await probing('127.0.0.1', refusing.port)).ready).toEqual({
    status,
    ok: false,
    failing: [],
    refusesStrangers: true,
  });
  expect((await probing('127.0.0.1', kubelet.port)).ready).toEqual({ status, ok: false, failing: [] });
});

test('a redirect is an answer and not followed', async () => {
  const target = await apiServer(certificates.server);
  const server = await localServer(
    (_, response) => response.writeHead(302, { location: `${target.url}/readyz` }).end(),
    certificates.server,
  );
  closing.push(server.close);
  expect((await probing('127.0.0.1', server.port)).ready).toMatchObject({ status: 302, ok: false });
  expect(target.connections()).toBe(0);
});

test('an exec plug-in does not run for a probe', async () => {
  const folder = testFolder('probe');
  const mark = join(folder, 'ran');
  const plugin = {
    apiVersion: 'client.authentication.k8s.io/v1',
    command: 'touch',
    args: [mark],
    interactiveMode: 'Never',
  };
  const server = await apiServer(certificates.server);
  const cluster = { 'certificate-authority-data': Buffer.from(certificates.authority).toString('base64') };
  const connection = await connectionTo('https://elsewhere.example:6443', { exec: plugin }, cluster, process.env);
  closing.push(connection.close);
  const seen = await probe(connection, { host: '127.0.0.1', port: server.port }, {}, anyAddress);
  expect(seen.ready).toMatchObject({ ok: true });
  expect(existsSync(mark)).toBe(false);
});

test('what local addresses the cluster names are left alone, but for where the credentials go anyway', async () => {
  const [own, other] = [await apiServer(certificates.server), await apiServer(certificates.server)];
  const connection = await aConnection(own.url);
  const { mayNotDial: _, ...machine } = anyAddress;
  const servers = [own, other].map(({ port }) => ({ host: '127.0.0.1', port }));
  const seen = await probe(connection, { host: '169.254.169.254', port: 443 }, { servers }, machine);
  expect(seen).toMatchObject({
    connection: { made: false, notTested: true, because: expect.stringMatching(/^169\.254\.169\.254:443 is a cloud/) },
    certificate: null,
    servers: [{ address: `127.0.0.1:${own.port}`, ready: { ok: true } }],
    dialled: [`127.0.0.1:${own.port}`],
    leftAlone: [{ address: '169.254.169.254:443' }, { address: `127.0.0.1:${other.port}` }],
  });
  expect([other.connections(), other.requests]).toEqual([0, []]);
  const proxied = await aConnection(own.url, certificates.authority, { 'proxy-url': 'http://127.0.0.1:9' });
  const behind = await probe(proxied, { host: '127.0.0.1', port: own.port }, {}, machine);
  expect(behind.connection).toMatchObject({ notTested: true });
});

test.each([
  ['a name that leads to loopback', ['127.0.0.1']],
  ['a name that leads to loopback in an IPv6 address', ['::ffff:127.0.0.1']],
  ['a name of which one address is loopback', ['192.0.2.1', '127.0.0.1']],
])('%s: it is left alone', async (_name, addresses) => {
  const server = await apiServer(certificates.server);
  const machine = { lookup: async () => addresses, servers: ['127.0.0.1:9'] };
  const seen = await probe(
    await aConnection(),
    { host: 'api.example', port: server.port },
    { timeoutMs: 400 },
    machine,
  );
  expect(seen.connection.made).toBe(false);
  expect(seen.leftAlone.length).toBe(1);
  expect(server.connections()).toBe(0);
});

test('a name that leads elsewhere when it is asked again is resolved once, and dialled where it led', async () => {
  const server = await apiServer(certificates.server);
  const { port } = server;
  const rebound = { connections: 0 };
  const other = createServer((socket) => {
    rebound.connections += 1;
    socket.destroy();
  });
  await new Promise<void>((resolve) => other.listen(port, '127.0.0.2', resolve));
  closing.push(() => other.close());
  let questions = 0;
  const leadingTo = (address: string): Zone => ({ 'api.example': { a: [address], ttl: 0 } });
  const dns = await nameServer({}, { onQuestion: () => leadingTo(questions++ === 0 ? '127.0.0.1' : '127.0.0.2') });
  closing.push(dns.close);
  const resolver = new Resolver();
  resolver.setServers([dns.address]);
  const machine = {
    lookup: (name: string) => resolver.resolve4(name),
    servers: ['127.0.0.1:9'],
    mayNotDial: (address: string) => (address === '127.0.0.2' ? 'is a loopback address' : null),
  };
  const seen = await probe(await aConnection('https://127.0.0.1:1'), { host: 'api.example', port }, {}, machine);
  expect(seen).toMatchObject({ dialled: [`127.0.0.1:${port}`], ready: { ok: true } });
  expect([questions, rebound.connections]).toEqual([1, 0]);
});

test('a list of API servers that somebody made long is cut, and all of it ends in time', async () => {
  const server = await apiServer(certificates.server);
  const servers = Array.from({ length: 2_000 }, (_, n) => ({ host: `127.1.${n >> 8}.${n & 255}`, port: server.port }));
  const startedAt = performance.now();
  const seen = await probing('127.0.0.1', server.port, { servers });
  expect([seen.servers.length, seen.dialled.length]).toEqual([8, 9]);
  expect(seen.leftAlone.length).toBeLessThanOrEqual(32);
  expect(performance.now() - startedAt).toBeLessThan(15_000);
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
