import type { Server } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { testFolder } from '#lib/folders/testing/test-folder.ts';
import type { Kube, WatchEvent } from '#lib/kube/index.ts';
import { openSandbox, remoteSandbox } from '#lib/sandbox/index.ts';
import { resources } from '#lib/spec/index.ts';
import { type AConsole, aConsole, closeConsoles } from '../host/testing/a-console.ts';
import { type HeldSandbox, holdSandbox } from './hold-sandbox.ts';
import { dialConsole } from './instance-path.ts';
import { consoleSocket } from './testing/console-socket.ts';

/** The command line at work on a sandbox that the console has open. */
let state: string;
let running: AConsole;
let socket: Server;
let held: Remote;

type Remote = HeldSandbox & { kube: Kube };

const note = (text: string) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'note', namespace: 'default' },
  data: { text },
});
const noteRef = { resource: resources.configMaps, namespace: 'default', name: 'note' };

beforeEach(async () => {
  state = testFolder('hold-sandbox');
  running = await aConsole({ state });
  socket = await consoleSocket(running, state);
  held = await theSandbox();
});
afterEach(async () => {
  await leave(held);
  socket.close();
  await closeConsoles();
});

async function theSandbox(): Promise<Remote> {
  const found = await holdSandbox(state, 'standard');
  if (!found) throw new Error('the console serves nothing');
  return { ...found, kube: await remoteSandbox('standard', found.kubeconfig, found.disconnected) };
}

async function leave({ kube, release }: Remote): Promise<void> {
  release();
  await kube.close();
}

test('what is read and written there is what the console has', async () => {
  const { kube } = held;
  expect(await kube.get(noteRef)).toBeNull();
  await kube.create(resources.configMaps, note('a'));
  const other = await theSandbox();
  expect(await other.kube.get(noteRef)).toMatchObject({ data: { text: 'a' } });
  await leave(other);
  const names: (string | undefined)[] = [];
  for await (const page of kube.list(resources.nodes, { pageSize: 2 }))
    names.push(...page.items.map(({ metadata }) => metadata.name));
  expect(names.length).toBeGreaterThan(2);
  expect(await kube.version()).toMatch(/^v1\./);
});

test('errors are those of the port', async () => {
  const { kube } = held;
  await kube.create(resources.configMaps, note('a'));
  await expect(kube.create(resources.configMaps, note('b'))).rejects.toMatchObject({
    name: 'KubeError',
    code: 'already-exists',
  });
  await expect(kube.patch({ ...noteRef, name: 'none' }, { type: 'merge', body: {} })).rejects.toMatchObject({
    code: 'not-found',
  });
  await expect(kube.get(noteRef, { signal: AbortSignal.abort() })).rejects.toMatchObject({ code: 'aborted' });
});

test('a watch goes on until its signal aborts', async () => {
  const { kube } = held;
  const stop = new AbortController();
  const seen: WatchEvent['type'][] = [];
  for await (const event of kube.watch(resources.configMaps, { namespace: 'default', signal: stop.signal })) {
    seen.push(event.type);
    if (event.type === 'synced') await kube.create(resources.configMaps, note('a'));
    else if (event.type === 'added') await kube.delete(noteRef);
    else if (event.type === 'deleted') stop.abort();
  }
  expect(seen.filter((type) => type !== 'bookmark')).toEqual(['synced', 'added', 'deleted']);
});

test('when the console ends, whoever waits is told', async () => {
  const { kube, disconnected } = held;
  // As a kill: the connection ends without a word.
  const kill = () => held.release();
  const watching = (async () => {
    for await (const event of kube.watch(resources.configMaps)) if (event.type === 'synced') kill();
  })();
  await expect(watching).rejects.toMatchObject({ code: 'credentials' });
  expect(disconnected.aborted).toBe(true);
  await expect(kube.get(noteRef)).rejects.toMatchObject({ code: 'credentials' });
});

test('a sandbox that another process has is refused in words; where no console runs there is nothing to hold', async () => {
  const other = await openSandbox('empty', { speed: 'instant', state, operator: 'none' });
  await expect(holdSandbox(state, 'empty')).rejects.toMatchObject({ code: 'conflict' });
  await expect(holdSandbox(state, 'no-such')).rejects.toMatchObject({ code: 'conflict' });
  expect(await holdSandbox(testFolder('hold-sandbox'), 'standard')).toBeNull();
  await other.close();
});

test('a sandbox that another process has and serves is worked on there, by the console too', async () => {
  const other = await openSandbox('empty', { speed: 'instant', state, operator: 'none' });
  await other.serve();
  await other.kube.create(resources.configMaps, note('a'));
  const slug = (await running.host.clusters()).find(({ name }) => name === 'empty')?.slug ?? '';
  expect(await running.host.runs(slug)).toMatchObject({ ok: true });
  const through = await holdSandbox(state, 'empty');
  const kube = await remoteSandbox('empty', through?.kubeconfig ?? '', new AbortController().signal);
  expect(await kube.get(noteRef)).toMatchObject({ data: { text: 'a' } });
  await kube.close();
  through?.release();
  await other.close();
});

test('the sandbox stays open for as long as it is held, and whoever says more is cut off', async () => {
  for (const line of ['{', '[]', '{"id":1,"call":"get","args":[null,{}]}']) {
    const hostile = await dialConsole(state);
    hostile.setEncoding('utf8');
    hostile.write(`${JSON.stringify({ ask: 'sandbox', name: 'standard' })}\n`);
    hostile.once('data', () => hostile.write(`${line}\n`));
    await new Promise((resolve) => hostile.once('close', resolve));
  }
  expect(held.disconnected.aborted).toBe(false);
  expect(await held.kube.version()).toMatch(/^v1\./);
});

test('when the console closes the sandbox, whoever holds it is told', async () => {
  const slug = (await running.host.clusters()).find(({ name }) => name === 'standard')?.slug ?? '';
  const closed = new Promise((resolve) => held.disconnected.addEventListener('abort', resolve));
  expect(await running.host.resetSandbox(slug)).toMatchObject({ ok: true });
  await closed;
  await expect(held.kube.get(noteRef)).rejects.toMatchObject({ code: 'credentials' });
});
