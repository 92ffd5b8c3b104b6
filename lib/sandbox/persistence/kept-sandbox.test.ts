import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { testFolder } from '#lib/folders/testing/test-folder.ts';
import type { KubeObject } from '#lib/kube/index.ts';
import { felixLines, names, resources } from '#lib/spec/index.ts';
import { listSandboxes, resetSandbox } from '../list.ts';
import { type OpenSandbox, openSandbox } from '../open.ts';
import { joinSandbox } from '../serve/remote.ts';
import { podShape } from '../workloads/shapes.ts';

let state: string;
const opened: OpenSandbox[] = [];
const children: ChildProcess[] = [];

beforeEach(() => {
  state = testFolder('sandbox');
});
afterEach(async () => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  for (const sandbox of opened.splice(0)) await sandbox.close();
});

async function open(): Promise<OpenSandbox> {
  const sandbox = await openSandbox('standard', { speed: 'instant', state, operator: 'none' });
  opened.push(sandbox);
  return sandbox;
}
async function close(sandbox: OpenSandbox): Promise<void> {
  opened.splice(opened.indexOf(sandbox), 1);
  await sandbox.close();
}
/** Starts another process that has the sandbox. Resolves once that process says `open`. */
async function startWriter(mode: 'write' | 'hold', onLine: (line: string) => void = () => undefined) {
  const script = fileURLToPath(new URL('./writing-process.ts', import.meta.url));
  const child = spawn(process.execPath, [script, state, mode], { stdio: ['ignore', 'pipe', 'inherit'] });
  children.push(child);
  const lines = createInterface({ input: child.stdout });
  lines.on('line', onLine);
  await Promise.race([once(lines, 'line'), endOf(child)]);
  return child;
}
/** Rejects with the way in which the process ended, because somebody waits for a line that it did not write. */
async function endOf(child: ChildProcess): Promise<never> {
  const [code, signal] = await once(child, 'close');
  throw new Error(`The writing process ended by itself (${signal ?? code}).`);
}
const configMap = (name: string) => ({ resource: resources.configMaps, namespace: 'default', name });
const agents = { resource: resources.daemonSets, namespace: names.calicoNamespace, name: names.nodeDaemonSet };

test.each(['constructor', '__proto__', 'toString'])('%s is no sample', async (name) => {
  await expect(openSandbox(name, { speed: 'instant' })).rejects.toMatchObject({ code: 'not-found' });
  await expect(resetSandbox(state, name)).rejects.toMatchObject({ code: 'not-found' });
});

test('a sandbox that could not be served at one port is served at another', async () => {
  const [sandbox, taken] = [await open(), createServer()];
  await once(taken.listen(0, '127.0.0.1'), 'listening');
  await expect(sandbox.serve((taken.address() as AddressInfo).port)).rejects.toThrow(/taken by another program/);
  taken.close();
  expect((await sandbox.serve()).server).toMatch(/^https:/);
});

test('a joined sandbox is disconnected when another process serves it', async () => {
  const first = await open();
  const { kubeconfig } = await first.serve();
  const joined = await joinSandbox(state, 'standard');
  const ours = readFileSync(kubeconfig, 'utf8');
  await close(first);
  await (await open()).serve();
  expect(readFileSync(kubeconfig, 'utf8')).not.toBe(ours);
  await expect.poll(() => joined?.disconnected.aborted).toBe(true);
  await joined?.close();
});

test('a write that was confirmed survives kill -9', async () => {
  const acknowledged: number[] = [];
  const enough = Promise.withResolvers<void>();
  const child = await startWriter('write', (line) => {
    if (line !== 'open') acknowledged.push(Number(line));
    if (acknowledged.length === 200) enough.resolve();
  });
  await Promise.race([enough.promise, endOf(child)]);
  child.kill('SIGKILL');
  await once(child, 'close');

  const sandbox = await open();
  expect(acknowledged.length).toBeGreaterThanOrEqual(200);
  for (const index of acknowledged) expect(await sandbox.kube.get(configMap(`write-${index}`))).not.toBeNull();
});

test('a second process is told who has it open, and may have it after that one died', async () => {
  const child = await startWriter('hold');
  await expect(open()).rejects.toMatchObject({
    code: 'conflict',
    message: expect.stringMatching(
      new RegExp(`^Sandbox "standard" is open in process ${child.pid} since .*one process`),
    ),
  });
  expect((await listSandboxes(state)).find(({ name }) => name === 'standard')).toMatchObject({
    kept: true,
    openIn: child.pid,
  });
  child.kill('SIGKILL');
  await once(child, 'close');
  await open();
});

test('the lock of a dead process holds nobody up, even if its process id is in use again', async () => {
  await close(await open());
  const stale = { pid: process.pid, startedAt: '1', since: '2020-01-01T00:00:00.000Z' };
  writeFileSync(join(state, 'sandboxes', 'standard.holder'), JSON.stringify(stale));
  expect((await listSandboxes(state)).find(({ name }) => name === 'standard')).toMatchObject({ openIn: null });
  await open();
});

test('a rollout that was cut off goes on when the sandbox is opened again, with the same log behind it', async () => {
  const first = await open();
  await first.kube.patch(
    { resource: resources.felixConfigurations, name: names.felixConfiguration },
    { type: 'merge', body: { spec: { bpfEnabled: true } } },
  );
  await first.clock.sleep(5_000);
  await first.kube.patch(agents, {
    type: 'merge',
    body: { spec: { template: { metadata: { annotations: { restart: 'now' } } } } },
  });
  await first.clock.sleep(1_000);
  expect((await first.kube.get(agents))?.status).not.toMatchObject({ updatedNumberScheduled: 6 });
  const before = first.clock.now();
  await close(first);

  const second = await open();
  expect(second.clock.now()).toBeGreaterThanOrEqual(before - 1_000);
  const waiting = (await podsOf(second)).find(
    ({ spec }) => podShape.parse({ metadata, spec }).spec.nodeName === 'worker-5',
  );
  const log = await second.kube.logs(
    { namespace: names.calicoNamespace, name: waiting?.metadata.name ?? '' },
    { container: names.nodeContainer },
  );
  expect(log.split(felixLines.starting)).toHaveLength(3);
  expect(log).toContain(felixLines.bpfEnabled);
  await second.clock.sleep(60_000);
  expect((await second.kube.get(agents))?.status).toMatchObject({ updatedNumberScheduled: 6, numberAvailable: 6 });
});
const metadata = { name: 'any', uid: 'any', creationTimestamp: '' };

async function podsOf(sandbox: OpenSandbox) {
  for await (const page of sandbox.kube.list(resources.pods, { labelSelector: 'k8s-app=calico-node' }))
    return page.items;
  return [];
}

test('identity, versions and ownership are those of before', async () => {
  const first = await open();
  await first.kube.apply(resources.configMaps, {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'mine', namespace: 'default' },
    data: { a: '1' },
  });
  const before = first.store.snapshot();
  await close(first);
  const after = (await open()).store.snapshot();
  const sorted = (objects: readonly KubeObject[]) =>
    objects.toSorted((a, b) => ((a.metadata.uid ?? '') < (b.metadata.uid ?? '') ? -1 : 1));
  expect(sorted(after.objects)).toEqual(sorted(before.objects));
  expect(after.kinds).toEqual(before.kinds);
  expect(after.revision).toBeGreaterThanOrEqual(before.revision);
});

test('reset: the next use starts from the template', async () => {
  const sandbox = await open();
  await sandbox.kube.delete({ resource: resources.nodes, name: 'worker-5' });
  await expect(resetSandbox(state, 'standard')).rejects.toMatchObject({ code: 'conflict' });
  await close(sandbox);
  expect(await resetSandbox(state, 'standard')).toBe(true);
  expect(await resetSandbox(state, 'standard')).toBe(false);
  expect(await (await open()).kube.get({ resource: resources.nodes, name: 'worker-5' })).not.toBeNull();
});

test('a file that is no sandbox, and a name that is none, are told so', async () => {
  await close(await open());
  writeFileSync(
    join(state, 'sandboxes', 'standard.sqlite'),
    'not a database, but long enough to look like one'.repeat(40),
  );
  await expect(open()).rejects.toMatchObject({
    code: 'invalid',
    message: expect.stringContaining('sandbox reset standard'),
  });
  expect(await resetSandbox(state, 'standard')).toBe(true);
  await expect(openSandbox('no-such', { speed: 'instant', state })).rejects.toMatchObject({
    code: 'not-found',
    message: expect.stringContaining('`signalbox sandbox list`'),
  });
  await expect(openSandbox('../standard', { speed: 'instant', state })).rejects.toMatchObject({ code: 'not-found' });
});

test('a sandbox whose opening failed half-way can be opened again', async () => {
  // In place of a full disk: a folder has the name of the holder's file, so that it cannot be written.
  const holder = join(state, 'sandboxes', 'standard.holder');
  mkdirSync(holder, { recursive: true });
  await expect(open()).rejects.toThrow();
  rmSync(holder, { recursive: true });
  await expect(open()).resolves.toBeDefined();
});
