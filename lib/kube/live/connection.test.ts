import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, expect, test } from 'vitest';
import { testFolder } from '#lib/folders/testing/test-folder.ts';
import { resources } from '#lib/spec/index.ts';
import type { KubeObject } from '../object.ts';
import { connect } from './connect.ts';
import type { ConnectOptions } from './connect-options.ts';
import type { LiveKube } from './open.ts';
import { certificates } from './testing/certificates.ts';
import {
  type Handler,
  json,
  kubeconfigFor,
  type LocalServer,
  localServer,
  nowhere,
  statusBody,
} from './testing/local-server.ts';

const folder = testFolder('connection');
const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const each of open.splice(0)) await each.close();
});

const node: KubeObject = { apiVersion: 'v1', kind: 'Node', metadata: { name: 'n' } };
const ref = { resource: resources.nodes, name: 'n' };

async function clientOf(server: string, user = {}, cluster = {}, options: ConnectOptions = {}): Promise<LiveKube> {
  const kubeconfig = join(folder, 'config');
  writeFileSync(kubeconfig, kubeconfigFor(server, user, cluster));
  const kube = await connect({ ...nowhere, ...options, kubeconfig });
  open.push(kube);
  return kube;
}

async function serverOf(answer: Handler, tls?: Parameters<typeof localServer>[1]): Promise<LocalServer> {
  const server = await localServer(answer, tls);
  open.push(server);
  return server;
}

test('every request says who we are, and goes under the prefix of the server', async () => {
  const server = await serverOf((_request, response) => json(response, 200, node));
  const kube = await clientOf(`${server.url}/k8s/clusters/c-xyz`, {
    token: 'abcd',
    as: 'jane',
    'as-groups': ['a', 'b'],
    'as-user-extra': { 'example.org/Reason': ['x'] },
  });
  await kube.get(ref);
  const [request] = server.requests;
  expect(request?.url).toBe('/k8s/clusters/c-xyz/api/v1/nodes/n');
  expect(request?.headers).toMatchObject({
    accept: 'application/json',
    authorization: 'Bearer abcd',
    'user-agent': expect.stringMatching(/^signalbox\/\d/),
    'impersonate-user': 'jane',
    'impersonate-group': 'a, b',
    'impersonate-extra-example.org%2freason': 'x',
  });
});

test('user name and password', async () => {
  const server = await serverOf((_request, response) => json(response, 200, node));
  await (await clientOf(server.url, { username: 'u', password: 'p' })).get(ref);
  expect(server.requests[0]?.headers.authorization).toBe(`Basic ${Buffer.from('u:p').toString('base64')}`);
});

test('a read is tried again when its connection breaks, a write is not, and says so', async () => {
  let broken = 0;
  const server = await serverOf((request, response) => {
    if (broken++ < 2) return void request.socket.destroy();
    json(response, 200, node);
  });
  const kube = await clientOf(server.url);
  expect(await kube.get(ref)).toMatchObject(node);
  broken = 0;
  await expect(kube.apply(resources.nodes, node)).rejects.toMatchObject({
    code: 'unreachable',
    message: expect.stringContaining('The change may have been made'),
  });
});

test.each([
  ['a dry run', (kube: LiveKube) => kube.apply(resources.nodes, node, { dryRun: 'all' })],
  ['the dry run of a deletion', (kube: LiveKube) => kube.delete(ref, { dryRun: 'all' })],
  ['a question about permissions', (kube: LiveKube) => kube.allowed([{ verb: 'get', group: '', resource: 'nodes' }])],
])(
  '%s changes nothing, so it is tried again like a read, and never said to have changed something',
  async (_what, ask) => {
    let broken = 0;
    let times = 2;
    const server = await serverOf((request, response) => {
      if (broken++ < times) return void request.socket.destroy();
      json(response, 200, { ...node, status: { allowed: true } });
    });
    const kube = await clientOf(server.url);
    await ask(kube);
    expect(broken).toBe(3);
    [broken, times] = [0, Number.POSITIVE_INFINITY];
    await expect(ask(kube)).rejects.toMatchObject({
      code: 'unreachable',
      message: expect.not.stringContaining('may have been made'),
    });
  },
);

test('nothing listens', async () => {
  const server = await localServer(() => {});
  await server.close();
  await expect((await clientOf(server.url)).get(ref)).rejects.toMatchObject({ code: 'unreachable' });
});

test.each([
  ['GET', 429],
  ['PATCH', 429],
  ['PATCH', 503],
])('%s waits when told so by %i', async (method, status) => {
  let requests = 0;
  const server = await serverOf((_request, response) => {
    if (requests++ === 0) return json(response, status, statusBody(status, 'TooManyRequests'), { 'retry-after': '1' });
    json(response, 200, node);
  });
  const kube = await clientOf(server.url);
  const startedAt = performance.now();
  await (method === 'GET' ? kube.get(ref) : kube.apply(resources.nodes, node));
  expect(performance.now() - startedAt).toBeGreaterThan(950);
  expect(requests).toBe(2);
});

test('a wait that is longer than it is worth is the caller’s to decide', async () => {
  const server = await serverOf((_request, response) =>
    json(response, 429, statusBody(429, 'TooManyRequests'), { 'retry-after': '120' }),
  );
  await expect((await clientOf(server.url)).get(ref)).rejects.toMatchObject({
    code: 'too-many-requests',
    detail: { status: 429, retryAfterMs: 120_000 },
  });
});

test('time is limited, before the answer and in the middle of it', async () => {
  const server = await serverOf((request, response) => {
    if (request.url?.endsWith('/half')) response.writeHead(200, { 'content-type': 'application/json' }).write('{"api');
  });
  const kube = await clientOf(server.url);
  for (const name of ['none', 'half']) {
    await expect(kube.get({ ...ref, name }, { timeoutMs: 100 })).rejects.toMatchObject({
      code: 'timeout',
      message: `127.0.0.1:${server.port} gave no complete answer within 0.1 s.`,
    });
  }
});

test('the limit of a call wins over that of the client', async () => {
  const server = await serverOf((_request, response) => {
    setTimeout(() => json(response, 200, node), 400);
  });
  const kube = await clientOf(server.url, {}, {}, { timeoutMs: 100 });
  await expect(kube.get(ref)).rejects.toMatchObject({ code: 'timeout', detail: { limit: 'connection' } });
  await expect(kube.get(ref, { timeoutMs: 50 })).rejects.toHaveProperty('detail', {});
  await expect(kube.get(ref, { timeoutMs: 5_000 })).resolves.toMatchObject({ kind: 'Node' });
});

test('the caller’s signal and close() end what is under way', async () => {
  const server = await serverOf(() => {});
  const kube = await clientOf(server.url);
  const controller = new AbortController();
  setTimeout(() => controller.abort(), 50);
  await expect(kube.get(ref, { signal: controller.signal })).rejects.toMatchObject({ code: 'aborted' });
  await expect(kube.get(ref, { signal: AbortSignal.abort() })).rejects.toMatchObject({ code: 'aborted' });
  setTimeout(() => void kube.close(), 50);
  await expect(kube.get(ref)).rejects.toMatchObject({ code: 'aborted' });
});

test('a token file is read again after a 401, once', async () => {
  const tokenFile = join(folder, 'token');
  writeFileSync(tokenFile, 'old-token\n');
  const server = await serverOf((request, response) =>
    request.headers.authorization === 'Bearer new-token'
      ? json(response, 200, node)
      : json(response, 401, statusBody(401, 'Unauthorized')),
  );
  const kube = await clientOf(server.url, { tokenFile });
  await expect(kube.get(ref)).rejects.toMatchObject({ code: 'unauthorized' });
  expect(server.requests).toHaveLength(1);
  writeFileSync(tokenFile, 'new-token\n');
  expect(await kube.get(ref)).toMatchObject(node);
  expect(server.requests).toHaveLength(3);
});

test('few connections are kept and used again', async () => {
  const server = await serverOf((_request, response) => json(response, 200, node));
  const kube = await clientOf(server.url);
  for (let i = 0; i < 5; i++) await Promise.all(Array.from({ length: 20 }, () => kube.get(ref)));
  expect(server.connections()).toBeLessThanOrEqual(6);
});

test('credentials that do not come in time are no fault of the server', async () => {
  const server = await serverOf((_request, response) => json(response, 200, node));
  const exec = {
    apiVersion: 'client.authentication.k8s.io/v1',
    command: 'sleep',
    args: ['2'],
    interactiveMode: 'Never',
  };
  const kube = await clientOf(server.url, { exec });
  await expect(kube.get(ref, { timeoutMs: 100 })).rejects.toMatchObject({
    code: 'timeout',
    message: `The credentials for 127.0.0.1:${server.port} did not come in time. Their program may be waiting for a login: run it by hand once.`,
  });
});

test('what is no API server is said to be none', async () => {
  const server = await serverOf((request, response) => {
    const status = request.url?.includes('teapot') ? 403 : 200;
    response.writeHead(status, { 'content-type': 'text/html' }).end('<html>Please sign in</html>');
  });
  const kube = await clientOf(server.url);
  await expect(kube.get(ref)).rejects.toMatchObject({ code: 'protocol' });
  await expect(kube.get({ ...ref, name: 'teapot' })).rejects.toMatchObject({
    code: 'protocol',
    detail: { status: 403 },
  });
});

test.each([502, 503, 504])('a web page with %i is of a proxy whose API server is away', async (status) => {
  const server = await serverOf((_request, response) => {
    response.writeHead(status, { 'content-type': 'text/html' }).end('<html><h1>Bad Gateway</h1></html>');
  });
  await expect((await clientOf(server.url)).get(ref)).rejects.toMatchObject({
    code: 'server',
    message: `A proxy at 127.0.0.1:${server.port} answers with a web page (${status}): the API server behind it does not answer.`,
    detail: { status },
  });
});

const tokenUntil = (seconds: number) =>
  `head.${Buffer.from(JSON.stringify({ exp: seconds })).toString('base64url')}.signature`;
const later = Math.floor(Date.now() / 1000) + 3600;

test.each([
  [
    'a token that is over',
    { token: tokenUntil(1_780_000_000) },
    'the token expired at 2026-05-28T20:26:40Z. Renew it, or',
  ],
  ['a token whose end cannot be', { token: tokenUntil(1e300) }, 'they are wrong, expired or withdrawn. Renew them, or'],
  [
    'a token whose end was before all time',
    { token: tokenUntil(-1e300) },
    'they are wrong, expired or withdrawn. Renew them, or',
  ],
  ['a token that is not over', { token: tokenUntil(later) }, 'they are wrong, expired or withdrawn. Renew them, or'],
  ['a token without an end', { token: 'opaque.token' }, 'they are wrong, expired or withdrawn. Renew them, or'],
  [
    'a client certificate that is over',
    {
      'client-certificate-data': Buffer.from(certificates.expired.cert).toString('base64'),
      'client-key-data': Buffer.from(certificates.expired.key).toString('base64'),
    },
    'the client certificate expired at 2026-06-01T00:00:00Z. Renew it, or',
  ],
])('a server that refuses %s is told with what is known of it', async (_what, user, why) => {
  const server = await serverOf((_request, response) => json(response, 401, statusBody(401, 'Unauthorized')));
  await expect((await clientOf(server.url, user)).get(ref)).rejects.toMatchObject({
    code: 'unauthorized',
    message: `127.0.0.1:${server.port} does not accept these credentials: ${why} sign in again.`,
  });
});

test('an answer that is not compressed as it says is no answer', async () => {
  const server = await serverOf((request, response) => {
    const good = gzipSync(JSON.stringify(node));
    response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' });
    response.end(request.url?.endsWith('/n') ? good : 'x'.repeat(40));
  });
  const kube = await clientOf(server.url);
  expect(await kube.get(ref)).toMatchObject(node);
  await expect(kube.get({ ...ref, name: 'bad' })).rejects.toMatchObject({ code: 'protocol' });
});

test.each([
  [404, { details: { name: 'n', kind: 'nodes' } }, 'not-found'],
  [404, {}, 'not-served'],
  [409, { reason: 'AlreadyExists' }, 'already-exists'],
  [409, {}, 'conflict'],
  [410, {}, 'expired'],
  [403, {}, 'forbidden'],
  [422, {}, 'invalid'],
  [500, {}, 'server'],
  [503, { message: 'error trying to reach service: dial tcp' }, 'not-served'],
  [405, {}, 'unsupported'],
])('%i %j is %s', async (status, more, code) => {
  const server = await serverOf((_request, response) => json(response, status, statusBody(status, 'X', more)));
  await expect((await clientOf(server.url)).apply(resources.nodes, node)).rejects.toMatchObject({
    code,
    detail: { status },
  });
});

test('a conflict names managers and fields', async () => {
  const causes = [
    {
      reason: 'FieldManagerConflict',
      message: 'conflict with "kubectl \\"x\\"" using apps/v1 at 2026-01-01T00:00:00Z',
      field: '.spec.a',
    },
    {
      reason: 'FieldManagerConflict',
      message: 'conflict with "operator" with subresource "status" using v1',
      field: '.spec.b',
    },
  ];
  const server = await serverOf((_request, response) =>
    json(response, 409, statusBody(409, 'Conflict', { details: { causes } })),
  );
  await expect((await clientOf(server.url)).apply(resources.nodes, node)).rejects.toMatchObject({
    code: 'conflict',
    detail: {
      conflicts: [
        { manager: 'kubectl "x"', field: '.spec.a' },
        { manager: 'operator', field: '.spec.b' },
      ],
    },
  });
});

test('names that would reach another object are refused before anything is sent', async () => {
  const server = await serverOf((_request, response) => json(response, 200, node));
  const kube = await clientOf(server.url);
  for (const name of ['..', 'a/b', '', 'a%2fb', 'a\n']) {
    await expect(kube.delete({ ...ref, name })).rejects.toMatchObject({ code: 'invalid' });
  }
  expect(server.requests).toHaveLength(0);
});

const b64 = (text: string) => Buffer.from(text).toString('base64');
const trusting = { 'certificate-authority-data': b64(certificates.authority) };

test('a client certificate, verified against the cluster’s own authority', async () => {
  const server = await serverOf(
    (request, response) => {
      const peer =
        'getPeerCertificate' in request.socket
          ? (request.socket as import('node:tls').TLSSocket).getPeerCertificate()
          : null;
      json(response, 200, { ...node, subject: peer?.subject?.CN });
    },
    { ...certificates.server, ca: certificates.authority },
  );
  const user = {
    'client-certificate-data': b64(certificates.client.cert),
    'client-key-data': b64(certificates.client.key),
  };
  expect(await (await clientOf(server.url, user, trusting)).get(ref)).toMatchObject({ subject: 'alice' });
});

test.each([
  [
    'another authority',
    certificates.server,
    { 'certificate-authority-data': b64(certificates.stranger) },
    "not signed by the cluster's certificate authority. Either another server answers there, or the cluster has a new authority: get its kubeconfig again.",
  ],
  ['no authority: those of the system', certificates.server, {}, 'not signed by'],
  ['another name', certificates.stray, trusting, 'for another name or address'],
])('%s: tls, before any credential is sent', async (_name, certificate, cluster, sentence) => {
  const server = await serverOf((_request, response) => json(response, 200, node), certificate);
  await expect((await clientOf(server.url, { token: 'abcd' }, cluster)).get(ref)).rejects.toMatchObject({
    code: 'tls',
    message: expect.stringContaining(sentence),
  });
  expect(server.requests).toHaveLength(0);
});

test.each([
  ['tls-server-name', certificates.stray, { ...trusting, 'tls-server-name': 'elsewhere.example' }, 0],
  ['insecure-skip-tls-verify', certificates.stray, { 'insecure-skip-tls-verify': true }, 1],
])('%s makes another certificate good', async (_name, certificate, cluster, warnings) => {
  const server = await serverOf((_request, response) => json(response, 200, node), certificate);
  const kube = await clientOf(server.url, {}, cluster);
  expect(await kube.get(ref)).toMatchObject(node);
  expect(kube.warnings).toHaveLength(warnings);
});

test('plain HTTP where TLS is expected, and the other way round', async () => {
  const plain = await serverOf((_request, response) => json(response, 200, node));
  await expect((await clientOf(plain.url.replace('http', 'https'))).get(ref)).rejects.toMatchObject({ code: 'tls' });
  const secure = await serverOf((_request, response) => json(response, 200, node), certificates.server);
  await expect((await clientOf(secure.url.replace('https', 'http'))).get(ref)).rejects.toMatchObject({
    code: expect.stringMatching(/unreachable|protocol|invalid/),
  });
});
