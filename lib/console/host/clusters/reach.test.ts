import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { testFolder } from '#lib/folders/testing/test-folder.ts';
import { KubeError, kubeconfigText } from '#lib/kube/index.ts';
import { openSandbox } from '#lib/sandbox/index.ts';
import { aConsole, closeConsoles } from '../testing/a-console.ts';
import { failureOf, okValue, standard } from '../testing/a-page.ts';
import { aSharedCluster } from '../testing/shared-cluster.ts';
import { clusterSlug } from './cluster-slug.ts';

const closing: (() => unknown)[] = [];
afterEach(async () => {
  await closeConsoles();
  for (const close of closing.splice(0)) await close();
});

async function kubeconfigTo(port: number): Promise<string> {
  const path = join(testFolder('reach'), 'config');
  await writeFile(
    path,
    kubeconfigText({
      current: 'a/b:c',
      clusters: { c: { server: `https://127.0.0.1:${port}` } },
      users: { u: { token: 'secret-token' } },
      contexts: [
        ['a/b:c', 'c', 'u'],
        ['lost', 'none', 'u'],
      ],
    }),
  );
  return path;
}

function listening(port: number, onConnection: 'refuse' | 'silence'): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer((socket) => closing.push(() => socket.destroy()));
    server.listen(port, '127.0.0.1', () => {
      const address = server.address();
      const taken = typeof address === 'object' && address ? address.port : 0;
      if (onConnection === 'silence') {
        closing.push(() => server.close());
        resolve(taken);
      } else server.close(() => resolve(taken));
    });
  });
}

test('a port that refuses is told at once; what a context is called is data, and no token is in the answer', async () => {
  const { host } = await aConsole({ kubeconfig: await kubeconfigTo(await listening(0, 'refuse')) });
  const entries = await host.clusters();
  const [entry] = entries;
  expect(entry).toMatchObject({ name: 'a/b:c', kind: 'kubeconfig', current: true, problem: null });
  expect(entry?.slug).toMatch(/^a-b-c-[0-9a-f]{8}$/);
  expect(JSON.stringify(entries)).not.toContain('secret-token');
  expect(await host.reach(entry?.slug ?? '')).toMatchObject({ kind: 'unreachable', code: 'cluster.unreachable' });
  expect(failureOf(await host.view(entry?.slug ?? '')).code).toBe('cluster.unreachable');
});

test('one that says nothing is given up after 8 s, and asked once for all who look meanwhile', async () => {
  const { host } = await aConsole({ kubeconfig: await kubeconfigTo(await listening(0, 'silence')) });
  const slug = clusterSlug('kubeconfig', 'a/b:c');
  const began = performance.now();
  const [one, two] = await Promise.all([host.reach(slug), host.reach(slug)]);
  // One after the other they would take twice as long.
  expect(performance.now() - began).toBeLessThan(15_500);
  expect(one).toMatchObject({ kind: 'unreachable', code: 'cluster.timeout', message: 'No answer within 8 s.' });
  expect(two).toBe(one);
});

test('a context that leads nowhere says why, and a name that nobody has is told', async () => {
  const { host } = await aConsole({ kubeconfig: await kubeconfigTo(1) });
  const lost = (await host.clusters()).find(({ name }) => name === 'lost');
  expect(lost?.problem).toContain('none');
  expect(await host.reach(lost?.slug ?? '')).toMatchObject({ kind: 'unreachable', code: 'cluster.broken' });
  expect(await host.reach('no-such-00000000')).toMatchObject({ kind: 'unreachable', code: 'cluster.not-found' });
  expect(failureOf(await host.createDraft('no-such-00000000', 'enable')).code).toBe('cluster.not-found');
});

test('a kubeconfig that cannot be read is told, and the sandboxes are there', async () => {
  const path = join(testFolder('reach'), 'config');
  await writeFile(path, 'contexts: [');
  const { host } = await aConsole({ kubeconfig: path });
  const [broken, ...rest] = await host.clusters();
  expect(broken).toMatchObject({ name: 'kubeconfig', problem: expect.stringContaining(path) });
  expect(rest.map(({ slug }) => slug)).toContain(standard);
  expect(await host.reach(standard)).toMatchObject({ kind: 'reachable' });
  expect(await host.reach(broken?.slug ?? '')).toMatchObject({ kind: 'unreachable', code: 'cluster.invalid' });
});

test('a sandbox that nobody used is told without making it', async () => {
  const { host } = await aConsole();
  const reach = await host.reach(standard);
  expect(reach).toMatchObject({
    kind: 'reachable',
    kubernetes: 'v1.34.3',
    calico: 'v3.31.4',
    dataplane: 'Iptables',
    health: { kind: 'healthy', says: 'Healthy' },
    run: null,
  });
  expect((await host.clusters()).find(({ slug }) => slug === standard)?.kept).toBe(false);
});

test('a sandbox that another process has open says which', async () => {
  const state = testFolder('reach');
  const other = await openSandbox('standard', { speed: 'instant', state });
  closing.push(() => other.close());
  const { host } = await aConsole({ state });
  const failure = failureOf(await host.view(standard));
  expect(failure).toMatchObject({ code: 'sandbox.in-use', message: expect.stringContaining(`process ${process.pid}`) });
});

test('a sandbox is reset under those who look at it', async () => {
  const { host } = await aConsole();
  const draft = okValue(await host.createDraft(standard, 'enable'));
  okValue(await host.view(standard));
  expect((await host.clusters()).find(({ slug }) => slug === standard)?.kept).toBe(true);
  okValue(await host.resetSandbox(standard));
  expect((await host.clusters()).find(({ slug }) => slug === standard)?.kept).toBe(false);
  expect(okValue(await host.drafts(standard).then((value) => ({ ok: true as const, value })))).toEqual([draft]);
  okValue(await host.view(standard));
});

test('rights that are missing are told by the rule, and a cluster is no sandbox', async () => {
  const shared = await aSharedCluster();
  closing.push(() => shared.stage.close());
  const nobody = shared.stage.store.as({ name: 'nobody', rules: [] });
  const { host } = await shared.console({ identity: { install: 'i', process: '1@1@x' }, kube: nobody });
  const failure = failureOf(await host.runs(shared.slug));
  expect(failure).toMatchObject({
    code: 'cluster.forbidden',
    message: expect.stringContaining('User "nobody" cannot'),
  });
  expect(failureOf(await host.resetSandbox(shared.slug)).code).toBe('cluster.no-sandbox');
  const draft = okValue(await host.createDraft(shared.slug, 'enable'));
  const { findings } = okValue(await host.assess(shared.slug, draft.id, 'kept'));
  expect(findings.findings.find(({ id }) => id === 'permissions.plan')?.status).toBe('fail');
});

test('a fault of ours is no answer: it is thrown, and logged with its cause', async () => {
  const fault = new TypeError('undefined is not a function');
  const console = await aConsole({
    kubeconfig: await kubeconfigTo(1),
    openLive: async () => {
      throw fault;
    },
  });
  await expect(console.host.runs(clusterSlug('kubeconfig', 'a/b:c'))).rejects.toBe(fault);
  expect(console.logged.join()).toContain('a fault of Signalbox');
});

test('a connection that fails is opened anew by the next who asks', async () => {
  const shared = await aSharedCluster();
  closing.push(() => shared.stage.close());
  let tries = 0;
  const { host } = await aConsole({
    kubeconfig: await kubeconfigTo(1),
    openLive: async () => {
      if (tries++ === 0) throw new KubeError('credentials', 'the plug-in failed');
      return { kube: shared.stage.ours, clock: shared.stage.clock, close: async () => {} };
    },
  });
  const slug = clusterSlug('kubeconfig', 'a/b:c');
  expect(failureOf(await host.runs(slug)).code).toBe('cluster.credentials');
  expect(okValue(await host.runs(slug)).runs).toEqual([]);
});

/** Three contexts whose program records that it ran, and a plain one and an unverified one with a token. */
async function manyContexts(server: string, current: string) {
  const folder = testFolder('reach');
  const path = join(folder, 'config');
  const ran = (name: string) => join(folder, `${name}.ran`);
  const program = (name: string) => ({
    apiVersion: 'client.authentication.k8s.io/v1',
    command: '/bin/sh',
    args: ['-c', `: > ${ran(name)}; exit 1`],
    interactiveMode: 'Never',
  });
  const names = ['one', 'two', 'three'];
  await writeFile(
    path,
    kubeconfigText({
      current,
      clusters: {
        c: { server },
        plain: { server: server.replace('https:', 'http:') },
        unverified: { server, 'insecure-skip-tls-verify': true },
      },
      users: {
        ...Object.fromEntries(names.map((name) => [name, { exec: program(name) }])),
        token: { token: 'secret-token' },
      },
      contexts: [
        ...names.map((name) => [name, 'c', name] as const),
        ['plain', 'plain', 'token'],
        ['unverified', 'unverified', 'token'],
        ['other', 'c', 'token'],
      ],
    }),
  );
  return { path, ran: () => names.filter((name) => existsSync(ran(name))) };
}

test('a list runs the program of the current context and of no other, until it is asked for', async () => {
  const { path, ran } = await manyContexts('https://127.0.0.1:1', 'two');
  const { host } = await aConsole({ kubeconfig: path });
  const reached = async () =>
    Object.fromEntries(
      await Promise.all(
        (await host.clusters())
          .filter(({ kind }) => kind === 'kubeconfig')
          .map(async ({ name, slug }) => {
            const reach = await host.reach(slug);
            return [name, reach.kind === 'not-asked' ? reach.because : reach.kind];
          }),
      ),
    );
  expect(await reached()).toEqual({
    one: 'its credentials come from a program',
    two: 'unreachable',
    three: 'its credentials come from a program',
    plain: 'its connection is not encrypted',
    unverified: 'its certificate is not verified',
    other: 'it is not the current context',
  });
  expect(ran()).toEqual(['two']);
  okValue(await host.askCluster(clusterSlug('kubeconfig', 'three')));
  expect(await reached()).toMatchObject({ one: 'its credentials come from a program', three: 'unreachable' });
  expect(ran()).toEqual(['two', 'three']);
  expect(failureOf(await host.askCluster('no-such-00000000')).code).toBe('cluster.not-found');
});

test.each(['plain', 'unverified'])('%s: no token goes there from a list, be it the current one', async (current) => {
  const seen: string[] = [];
  const port = await new Promise<number>((resolve) => {
    const server = createServer((socket) => {
      seen.push('a connection');
      socket.on('data', (data) => seen.push(data.toString('latin1')));
      socket.on('error', () => {});
    });
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      closing.push(() => server.close());
      resolve(typeof address === 'object' && address ? address.port : 0);
    });
  });
  const { path } = await manyContexts(`https://127.0.0.1:${port}`, current);
  const { host } = await aConsole({ kubeconfig: path });
  expect(await host.reach(clusterSlug('kubeconfig', current))).toMatchObject({ kind: 'not-asked' });
  expect(seen).toEqual([]);
});
