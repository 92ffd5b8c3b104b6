import type { Server } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { WatchEvent } from '#lib/kube/index.ts';
import { openSandbox } from '#lib/sandbox/index.ts';
import { resources } from '#lib/spec/index.ts';
import { type AConsole, aConsole, aFolder, closeConsoles } from '../host/testing/a-console.ts';
import { dialConsole } from '../instance/instance-path.ts';
import { consoleSocket } from '../instance/testing/console-socket.ts';
import { type Borrowed, borrowSandbox } from './borrow.ts';

/** The command line at work on a sandbox that the console has open. */
let state: string;
let running: AConsole;
let socket: Server;
let borrowed: Borrowed;

const note = (text: string) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'note', namespace: 'default' },
  data: { text },
});
const noteRef = { resource: resources.configMaps, namespace: 'default', name: 'note' };

beforeEach(async () => {
  state = await aFolder();
  running = await aConsole({ state });
  socket = await consoleSocket(running, state);
  borrowed = await theSandbox();
});
afterEach(async () => {
  await borrowed.close();
  socket.close();
  await closeConsoles();
});

async function theSandbox(): Promise<Borrowed> {
  const found = await borrowSandbox(state, 'standard');
  if (!found) throw new Error('the console lends nothing');
  return found;
}

test('what is read and written there is what the console has', async () => {
  const { kube } = borrowed;
  expect(await kube.get(noteRef)).toBeNull();
  await kube.create(resources.configMaps, note('a'));
  const other = await theSandbox();
  expect(await other.kube.get(noteRef)).toMatchObject({ data: { text: 'a' } });
  await other.close();
  const names: (string | undefined)[] = [];
  for await (const page of kube.list(resources.nodes, { pageSize: 2 }))
    names.push(...page.items.map(({ metadata }) => metadata.name));
  expect(names.length).toBeGreaterThan(2);
  expect(await kube.version()).toMatch(/^v1\./);
});

test('errors are those of the port', async () => {
  const { kube } = borrowed;
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
  const { kube } = borrowed;
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
  const { kube, gone } = borrowed;
  // As a kill: the connection ends without a word.
  const kill = () => void borrowed.close();
  const watching = (async () => {
    for await (const event of kube.watch(resources.configMaps)) if (event.type === 'synced') kill();
  })();
  await expect(watching).rejects.toMatchObject({ code: 'credentials' });
  expect(gone.aborted).toBe(true);
  await expect(kube.get(noteRef)).rejects.toMatchObject({ code: 'credentials' });
});

test('a sandbox that another process has is refused in words; where no console runs there is nothing to borrow', async () => {
  const other = await openSandbox('empty', { speed: 'instant', state, operator: 'none' }).catch(() => null);
  if (other) {
    await expect(borrowSandbox(state, 'empty')).rejects.toMatchObject({ code: 'conflict' });
    await other.close();
  }
  await expect(borrowSandbox(state, 'no-such')).rejects.toMatchObject({ code: 'conflict' });
  expect(await borrowSandbox(await aFolder(), 'standard')).toBeNull();
});

test('lines that are no calls end the connection, and nothing else', async () => {
  for (const line of ['{', '[]', '{"id":1,"call":"close","args":[]}', '{"id":1,"call":"get","args":[null,{}]}']) {
    const hostile = await dialConsole(state);
    hostile.setEncoding('utf8');
    hostile.write(`${JSON.stringify({ ask: 'sandbox', name: 'standard' })}\n`);
    hostile.once('data', () => hostile.write(`${line}\n`));
    await new Promise((resolve) => hostile.once('close', resolve));
  }
  expect(await borrowed.kube.version()).toMatch(/^v1\./);
});
