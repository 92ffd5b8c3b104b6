import { readFileSync, statSync } from 'node:fs';
import { request } from 'node:https';
import { connect as dialTcp } from 'node:net';
import { join } from 'node:path';
import { connect as dialTls } from 'node:tls';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { testFolder } from '#lib/folders/testing/test-folder.ts';
import { connect, createStore, type Store } from '#lib/kube/index.ts';
import { resources } from '#lib/spec/index.ts';
import { type Served, serveStore } from './serve.ts';

/** Authentication of a served sandbox, and details of its HTTP. e2e/contract checks its responses with our client. */
let folder: string;
let store: Store;
let served: Served;
let token: string;
let ca: string;
let logged: [line: string, cause: unknown][];

beforeEach(async () => {
  folder = testFolder('serve');
  store = createStore({
    name: 'store',
    source: 'sandbox',
    version: 'v1.34.3',
    pods: {
      logs: async (_, { container, tailLines }) => `${container} ${tailLines}\n`,
      get: async ({ port, path }) => ({ status: 418, body: `${port} ${path}` }),
      exec: async ({ container }, command) => ({
        stdout: `${container}: ${command.join(' ')}\n${'x'.repeat(200_000)}`,
        stderr: 'a complaint',
        exitCode: command[0] === 'true' ? 0 : 3,
      }),
    },
  });
  logged = [];
  served = await serveStore(store, {
    name: 'sandbox-x',
    kubeconfig: join(folder, 'x.kubeconfig'),
    log: (line, cause) => logged.push([line, cause]),
  });
  const config = parse(readFileSync(served.kubeconfig, 'utf8'));
  token = config.users[0].user.token;
  ca = Buffer.from(config.clusters[0].cluster['certificate-authority-data'], 'base64').toString();
});
afterEach(async () => {
  await served.close();
});

const note = (name: string) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, namespace: 'default' },
});
const notes = '/api/v1/namespaces/default/configmaps';

type Asked = { method?: string; headers?: Record<string, string>; body?: string; host?: string };

function ask(path: string, { method = 'GET', headers = {}, body, host = '127.0.0.1' }: Asked = {}) {
  const { port } = new URL(served.server);
  return new Promise<{ status: number; text: string; type: string }>((resolve, reject) => {
    const sent = request(
      {
        host,
        port,
        path,
        method,
        ca,
        agent: false,
        servername: 'localhost',
        headers: {
          authorization: `Bearer ${token}`,
          ...(body === undefined ? {} : { 'content-length': Buffer.byteLength(body) }),
          ...headers,
        },
      },
      (response) => {
        let text = '';
        response.setEncoding('utf8');
        response.on('data', (part: string) => {
          text += part;
        });
        response.on('end', () =>
          resolve({ status: response.statusCode ?? 0, text, type: response.headers['content-type'] ?? '' }),
        );
      },
    );
    sent.on('error', reject);
    sent.end(body);
  });
}

describe('who may ask', () => {
  test('whoever has the kubeconfig, which only its user can read and which goes with the server', async () => {
    expect(statSync(served.kubeconfig).mode & 0o777).toBe(0o600);
    expect((await ask('/version')).status).toBe(200);
    await served.close();
    expect(() => statSync(served.kubeconfig)).toThrow(/ENOENT/);
    await expect(ask('/version')).rejects.toThrow(/ECONNREFUSED/);
  });

  test.each([
    ['no token', { authorization: '' }, 401],
    ['another token', { authorization: `Bearer ${'x'.repeat(43)}` }, 401],
    ['another name for this machine', { host: 'evil.example' }, 421],
    ['a web page', { origin: 'https://evil.example' }, 403],
  ])('%s is refused', async (_, headers, status) => {
    const answer = await ask('/version', { headers: headers as Record<string, string> });
    expect(answer.status).toBe(status);
    expect(JSON.parse(answer.text)).toMatchObject({ kind: 'Status', status: 'Failure', code: status });
  });

  test('the certificate names both loopback addresses', async () => {
    await expect(
      ask('/version', { headers: { host: `127.0.0.1:${new URL(served.server).port}` } }),
    ).resolves.toBeTruthy();
    const answer = await ask('/version', { host: '::1' }).catch((error: NodeJS.ErrnoException) => error.code);
    expect(answer === 'EADDRNOTAVAIL' || (typeof answer === 'object' && answer.status === 200)).toBe(true);
  });

  test('a port that is taken is an error, and nothing is left behind', async () => {
    const port = Number(new URL(served.server).port);
    const kubeconfig = join(folder, 'y.kubeconfig');
    await expect(serveStore(store, { name: 'y', kubeconfig, port })).rejects.toThrow(/taken by another program/);
    expect(() => statSync(kubeconfig)).toThrow(/ENOENT/);
  });
});

/** Sends a text as it is on one connection, and returns all that comes back until the server ends it. */
function sendRaw(text: string): Promise<string> {
  return new Promise((resolve) => {
    let received = '';
    const socket = dialTls({ host: '127.0.0.1', port: portOf(served), ca, servername: 'localhost' }, () =>
      socket.write(text),
    );
    socket.on('data', (part) => {
      received += part;
    });
    socket.on('error', () => {});
    socket.once('close', () => resolve(received));
  });
}
const portOf = ({ server }: Served) => Number(new URL(server).port);
const head = (line: string, ...headers: string[]) =>
  [`${line} HTTP/1.1`, `Host: 127.0.0.1:${portOf(served)}`, ...headers, '', ''].join('\r\n');
const h2c = ['Connection: Upgrade', 'Upgrade: h2c'];

describe('connections that no client of ours makes', () => {
  test('one that says nothing does not hold up the end', async () => {
    const socket = dialTcp(portOf(served), '127.0.0.1');
    await new Promise((resolve) => socket.once('connect', resolve));
    await expect(ask('/healthz')).resolves.toBeTruthy();
    const ended = new Promise((resolve) => socket.on('error', () => {}).once('close', resolve));
    await served.close();
    await ended;
  });

  test('600 that say nothing keep nobody out', async () => {
    const sockets = Array.from({ length: 600 }, () => dialTcp(portOf(served), '127.0.0.1').on('error', () => {}));
    await Promise.all(sockets.map((socket) => new Promise((resolve) => socket.once('connect', resolve))));
    expect((await ask('/healthz')).text).toBe('ok');
    for (const socket of sockets) socket.destroy();
  });

  test('an upgrade that is refused is told why, and the connection ends', async () => {
    const bearer = `Authorization: Bearer ${token}`;
    expect(await sendRaw(head('GET /version', bearer, ...h2c))).toMatch(
      /^HTTP\/1\.1 400 [\s\S]*\r\n\r\n\{"kind":"Status".*Only WebSockets/,
    );
  });

  test('an upgrade in the middle of an answer ends the connection, and nothing else', async () => {
    const bearer = `Authorization: Bearer ${token}`;
    await sendRaw(head(`GET ${notes}?watch=1`, bearer) + head('GET /version', bearer, ...h2c));
    expect((await ask('/healthz')).text).toBe('ok');
  });

  test('the body of a request without a token is not read', async () => {
    expect(await sendRaw(`${head('GET /version', 'Content-Length: 1000000')}xxx`)).toMatch(/^HTTP\/1\.1 401 /);
  });
});

describe('requests that no client of ours sends', () => {
  test.each([
    ['GET', '/', undefined, 404],
    ['GET', '/api/v1/nothing', undefined, 404],
    ['GET', '//', undefined, 400],
    ['GET', '/api/v1/namespaces/%E0%A4%A/pods', undefined, 400],
    ['GET', `${notes}?labelSelector=%3D%3D`, undefined, 400],
    ['GET', `${notes}?continue=nonsense`, undefined, 410],
    ['GET', `${notes}?watch=1&resourceVersion=nonsense`, undefined, 400],
    ['POST', notes, '{', 400],
    ['POST', notes, '[]', 400],
    ['POST', notes, JSON.stringify({ ...note('x'), metadata: { name: 'x', namespace: 'other' } }), 400],
    ['POST', notes, JSON.stringify({ ...note('x'), data: { a: 'x'.repeat(3 * 1024 * 1024) } }), 413],
    ['POST', '/api/v1/namespaces/default/pods/x/eviction', '{}', 405],
    ['PUT', `${notes}/y`, JSON.stringify(note('x')), 400],
    ['PATCH', `${notes}/x`, '{}', 415],
    ['DELETE', notes, '', 405],
    ['DELETE', `${notes}/x`, JSON.stringify({ propagationPolicy: 'Sideways' }), 400],
    ['OPTIONS', notes, undefined, 405],
  ])('%s %s is refused (%#)', async (method, path, body, status) => {
    const answer = await ask(path, { method, ...(body === undefined ? {} : { body }) });
    expect(JSON.parse(answer.text)).toMatchObject({ kind: 'Status', code: status });
    expect(answer.status).toBe(status);
    expect((await ask('/healthz')).text).toBe('ok');
  });
});

test.each(['-1', '0', '0.5', '1e-3', 'many', 'Infinity', '-Infinity'])(
  '?limit=%s asks for all at once',
  async (limit) => {
    store.load(['a', 'b'].map(note));
    const { items, metadata } = JSON.parse((await ask(`${notes}?limit=${limit}`)).text);
    expect(items).toHaveLength(2);
    expect(metadata.continue).toBeUndefined();
  },
);

test('a fault is told to the log of whoever serves, with what was asked', async () => {
  store.intercept(async () => {
    throw new Error('a bug');
  });
  const answer = await ask(`${notes}/a`);
  expect(answer.status).toBe(500);
  expect(answer.text).not.toContain('a bug');
  expect(logged).toEqual([[`GET ${notes}/a failed`, new Error('a bug')]]);
});

describe('a watch', () => {
  const events = (text: string) =>
    text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
      .map(({ type, object }) => `${type} ${object.metadata.name ?? ''}`.trim());

  test('goes on from any version that is remembered, with what came and went since', async () => {
    const { metadata } = await store.create(resources.configMaps, note('a'));
    await store.create(resources.configMaps, note('b'));
    await store.delete({ resource: resources.configMaps, namespace: 'default', name: 'a' });
    const since = `resourceVersion=${metadata.resourceVersion}&timeoutSeconds=1`;
    expect(events((await ask(`${notes}?watch=1&${since}`)).text)).toEqual(['ADDED b', 'DELETED a']);
    expect(events((await ask(`${notes}?watch=true&timeoutSeconds=1&sendInitialEvents=true`)).text)).toEqual([
      'ADDED b',
      'BOOKMARK',
    ]);
  });

  test('from before the sandbox was opened is too old', async () => {
    expect((await ask(`${notes}?watch=1&resourceVersion=1&timeoutSeconds=1`)).status).toBe(200);
    store.load(Array.from({ length: 10_001 }, (_, number) => note(`n${number}`)));
    expect(JSON.parse((await ask(`${notes}?watch=1&resourceVersion=2&timeoutSeconds=1`)).text)).toMatchObject({
      code: 410,
      reason: 'Expired',
    });
  });
});

test('a page that is asked for again is the same', async () => {
  store.load(['a', 'b', 'c'].map(note));
  const first = JSON.parse((await ask(`${notes}?limit=1`)).text);
  const path = `${notes}?limit=1&continue=${first.metadata.continue}`;
  const again = await Promise.all([ask(path), ask(path)]);
  expect(new Set(again.map(({ text }) => text)).size).toBe(1);
  expect(JSON.parse(again[0]?.text ?? '')).toMatchObject({ items: [{ metadata: { name: 'b' } }] });
});

test('a token leads on in its own list only, however many pages others read', async () => {
  store.load(Array.from({ length: 80 }, (_, number) => note(`n${number}`)));
  const first = JSON.parse((await ask(`${notes}?limit=1`)).text);
  const { continue: token } = first.metadata;
  expect((await ask(`/api/v1/nodes?limit=1&continue=${token}`)).status).toBe(400);
  let other = JSON.parse((await ask(`${notes}?limit=1`)).text);
  for (let page = 0; page < 70; page++)
    other = JSON.parse((await ask(`${notes}?limit=1&continue=${other.metadata.continue}`)).text);
  expect((await ask(`${notes}?limit=1&continue=${token}`)).status).toBe(200);
});

test('a taint that is taken off with a strategic merge patch is gone', async () => {
  const taints = ['a', 'b'].map((key) => ({ key, effect: 'NoSchedule' }));
  store.load([{ apiVersion: 'v1', kind: 'Node', metadata: { name: 'n' }, spec: { taints } }]);
  const answer = await ask('/api/v1/nodes/n', {
    method: 'PATCH',
    headers: { 'content-type': 'application/strategic-merge-patch+json' },
    body: JSON.stringify({ spec: { taints: taints.slice(1) } }),
  });
  expect(JSON.parse(answer.text).spec.taints).toEqual(taints.slice(1));
});

describe('a pod', () => {
  const pod = { namespace: 'default', name: 'p' };
  beforeEach(() => {
    store.load([
      { apiVersion: 'v1', kind: 'Pod', metadata: pod, spec: { containers: [{ name: 'main', image: 'i' }] } },
    ]);
  });

  test('is looked into by the client for real clusters', async () => {
    const kube = await connect({ kubeconfig: served.kubeconfig });
    expect(await kube.logs(pod, { container: 'main', tailLines: 3 })).toBe('main 3\n');
    expect(await kube.podGet({ ...pod, port: 9098, path: '/readiness?a=b' })).toEqual({
      status: 418,
      body: '9098 /readiness?a=b',
    });
    const failed = await kube.exec({ ...pod, container: 'main' }, ['some', 'words and more']);
    expect(failed).toMatchObject({ stderr: 'a complaint', exitCode: 3 });
    expect(failed.stdout).toMatch(/^main: some words and more\nx{200000}$/);
    expect(await kube.exec({ ...pod, container: 'main' }, ['true'])).toMatchObject({ exitCode: 0 });
    const nobody = { ...pod, name: 'nobody' };
    await expect(kube.exec({ ...nobody, container: 'main' }, ['true'])).rejects.toMatchObject({ code: 'not-found' });
    await expect(kube.logs(nobody, { container: 'main' })).rejects.toMatchObject({ code: 'not-found' });
    await kube.close();
  });

  test.each([
    ['without the token', { authorization: '' }],
    ['from a web page', { origin: 'https://evil.example' }],
  ])('runs no command %s', async (_, headers) => {
    const path = '/api/v1/namespaces/default/pods/p/exec?container=main&command=true';
    const upgrade = {
      connection: 'Upgrade',
      upgrade: 'websocket',
      'sec-websocket-key': 'AAAAAAAAAAAAAAAAAAAAAA==',
      'sec-websocket-version': '13',
      'sec-websocket-protocol': 'v5.channel.k8s.io',
    };
    const calls: unknown[] = [];
    store.intercept(async (call, proceed) => {
      calls.push(call);
      await proceed();
    });
    await expect(ask(path, { headers: { ...upgrade, ...headers } })).rejects.toThrow(/hang up|ECONNRESET/);
    expect(calls).toEqual([]);
  });
});

test('the client for real clusters trusts it without a warning', async () => {
  const kube = await connect({ kubeconfig: served.kubeconfig });
  expect(kube.warnings).toEqual([]);
  expect(await kube.version()).toBe('v1.34.3');
  await kube.close();
});
