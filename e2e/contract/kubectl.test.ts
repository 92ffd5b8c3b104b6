import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ensureBinaries } from '#e2e/controlplane/index.ts';
import { type OpenSandbox, openSandbox, type Served } from '#lib/sandbox/index.ts';
import { resources } from '#lib/spec/index.ts';

/** The real kubectl on a sandbox that is served. */
let state: string;
let sandbox: OpenSandbox;
let served: Served;
let program: string;

beforeAll(async () => {
  state = await mkdtemp(join(tmpdir(), 'signalbox-kubectl-'));
  sandbox = await openSandbox('standard', { speed: 'instant', state });
  [served, { kubectl: program }] = await Promise.all([sandbox.serve(), ensureBinaries()]);
});
afterAll(async () => {
  await sandbox?.close();
  await rm(state, { recursive: true, force: true });
});

async function kubectl(...args: string[]): Promise<string> {
  const all = ['--kubeconfig', served.kubeconfig, '--cache-dir', join(state, 'cache'), '--request-timeout', '30s'];
  const { stdout } = await promisify(execFile)(program, [...all, ...args], { timeout: 60_000 });
  return stdout.trim();
}

test('it finds kinds and objects, by their short names too', async () => {
  expect((await kubectl('get', 'no', '-o', 'name')).split('\n')).toContain('node/worker-1');
  expect(await kubectl('get', 'nodes')).toMatch(/^NAME\s+AGE\ncontrol-1\s/);
  expect(await kubectl('get', 'installation', 'default', '-o', 'jsonpath={.kind}')).toBe('Installation');
  expect(await kubectl('get', 'ds,deploy', '-A', '-o', 'name')).toContain('daemonset.apps/kube-proxy');
  expect(await kubectl('describe', 'node', 'worker-1')).toContain('Kernel Version:');
  expect(await kubectl('version')).toContain('Server Version: v1.');
});

test('it reads logs, and follows a roll-out', async () => {
  expect(await kubectl('logs', '-n', 'calico-system', 'ds/calico-node', '-c', 'calico-node')).toContain('felix/');
  expect(await kubectl('rollout', 'status', '-n', 'kube-system', 'ds/kube-proxy')).toContain('successfully rolled out');
  expect(await kubectl('wait', 'node/worker-1', '--for=condition=Ready')).toContain('condition met');
});

test('it applies files, on either side', async () => {
  const file = join(state, 'note.yaml');
  const note = (text: string) =>
    `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: note, namespace: default}\ndata: {text: ${text}}\n`;
  await writeFile(file, note('a'));
  expect(await kubectl('apply', '-f', file)).toBe('configmap/note created');
  await writeFile(file, note('b'));
  expect(await kubectl('apply', '-f', file)).toBe('configmap/note configured');
  expect(await kubectl('apply', '-f', file, '--server-side', '--force-conflicts')).toBe(
    'configmap/note serverside-applied',
  );
  await writeFile(file, note('c'));
  await expect(kubectl('diff', '-f', file)).rejects.toMatchObject({
    code: 1,
    stdout: expect.stringContaining('+  text: c'),
  });
  expect(await kubectl('get', 'cm', 'note', '-o', 'jsonpath={.data.text}')).toBe('b');
  await writeFile(file, note('d').replace('\ndata:', '\ndta:'));
  await expect(kubectl('apply', '-f', file)).rejects.toThrow(/unknown field "dta"/);
  expect(await kubectl('explain', 'installation.spec.calicoNetwork')).toContain('linuxDataplane');
});

test('it runs commands in pods, and tells how they end', async () => {
  const inAgent = ['exec', '-n', 'calico-system', 'ds/calico-node', '-c', 'calico-node', '--'];
  await expect(kubectl(...inAgent, 'calico-node', '-bpf', 'nat', 'dump')).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringContaining('Failed to get NAT map'),
  });
});

test('it changes and deletes objects, and waits until they are gone', async () => {
  await kubectl('label', 'node', 'worker-1', 'rack=a');
  const node = await sandbox.kube.get({ resource: resources.nodes, name: 'worker-1' });
  expect(node?.metadata.labels).toMatchObject({ rack: 'a' });
  await kubectl('cordon', 'worker-1');
  expect(await kubectl('get', 'node', 'worker-1', '-o', 'jsonpath={.spec.unschedulable}')).toBe('true');
  await kubectl('rollout', 'restart', '-n', 'kube-system', 'ds/kube-proxy');
  await kubectl('patch', 'installation', 'default', '--type=merge', '-p', '{"spec":{"nodeUpdateStrategy":null}}');
  await kubectl('delete', 'service', '-n', 'kube-system', 'kube-dns');
  await expect(kubectl('get', 'service', '-n', 'kube-system', 'kube-dns')).rejects.toThrow(/NotFound/);
});
