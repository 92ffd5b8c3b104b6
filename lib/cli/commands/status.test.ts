import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { testFolder } from '#lib/folders/testing/test-folder.ts';
import { json, kubeconfigFor, localServer, statusBody } from '#lib/kube/live/testing/local-server.ts';
import { runCommand } from '../testing/run-command.ts';
import { dump } from './dump.ts';
import { inspect } from './inspect.ts';
import { runs } from './runs.ts';
import { status } from './status.ts';

const folder = testFolder('status');

const daemonSet = (namespace: string, name: string) => ({
  apiVersion: 'apps/v1',
  kind: 'DaemonSet',
  metadata: { name, namespace, generation: 1 },
  spec: { template: { spec: { containers: [] } } },
  status: {
    observedGeneration: 1,
    desiredNumberScheduled: 6,
    updatedNumberScheduled: 6,
    numberAvailable: 6,
    numberReady: 6,
  },
});
const there: Readonly<Record<string, object>> = {
  '/apis/operator.tigera.io/v1/installations/default': {
    apiVersion: 'operator.tigera.io/v1',
    kind: 'Installation',
    metadata: { name: 'default', generation: 1 },
    spec: { calicoNetwork: { linuxDataplane: 'Iptables' } },
    status: { calicoVersion: 'v3.31.4' },
  },
  '/apis/crd.projectcalico.org/v1/felixconfigurations/default': {
    apiVersion: 'crd.projectcalico.org/v1',
    kind: 'FelixConfiguration',
    metadata: { name: 'default' },
    spec: { bpfEnabled: false },
  },
  '/apis/apps/v1/namespaces/calico-system/daemonsets/calico-node': daemonSet('calico-system', 'calico-node'),
  '/apis/apps/v1/namespaces/kube-system/daemonsets/kube-proxy': daemonSet('kube-system', 'kube-proxy'),
};

/** A run that no process of this machine executes, as its journal in the namespace of new runs. */
const aRun = {
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'signalbox-run-r', namespace: 'signalbox', labels: { 'signalbox.dev/run': 'r' } },
  data: {},
};

/** Flags for a cluster that forbids to read the paths that match. */
async function clusterThatForbids(paths: RegExp, journals: readonly object[] = []): Promise<string[]> {
  const server = await localServer(({ url = '' }, response) => {
    const path = url.split('?')[0] ?? '';
    if (paths.test(path)) return json(response, 403, statusBody(403, 'Forbidden', { message: 'ann may not' }));
    if (path.endsWith('/namespaces/signalbox/configmaps'))
      return json(response, 200, { kind: 'ConfigMapList', apiVersion: 'v1', metadata: {}, items: journals });
    if (there[path]) return json(response, 200, there[path]);
    if (/s$/.test(path) && !/\/(leases|daemonsets)\//.test(path))
      return json(response, 200, { kind: 'List', apiVersion: 'v1', metadata: {}, items: [] });
    return json(response, 404, statusBody(404, 'NotFound', { details: { name: 'none' } }));
  });
  onTestFinished(() => server.close());
  const kubeconfig = join(folder, `${server.port}.config`);
  writeFileSync(kubeconfig, kubeconfigFor(server.url));
  return ['--kubeconfig', kubeconfig];
}
const env = { HOME: folder, XDG_STATE_HOME: folder };
const statusOf = (cluster: readonly string[], ...more: string[]) => runCommand(status, [...cluster, ...more], 80, env);

test.each([
  ['the runs', /configmaps/, 'ConfigMap', 'list configmaps in namespace signalbox'],
  ['the Lease of the process that executes them', /leases/, 'Lease', 'get leases.coordination.k8s.io'],
])(
  'status without the right to read %s shows the rest, and names what is missing',
  async (_what, paths, kind, what) => {
    const cluster = await clusterThatForbids(paths);
    const { code, out } = await statusOf(cluster);
    expect(out).toMatch(/^kube-proxy {2}6 of 6 ready$/m);
    expect(out.replaceAll(/\s+/g, ' ')).toMatch(
      new RegExp(`\\? ${kind}: .*: These credentials are not allowed to ${what}`),
    );
    expect(code).toBe(5);
    const read = JSON.parse((await statusOf(cluster, '-o', 'json')).out);
    expect(read.unknown).toEqual([{ kind, because: expect.stringContaining(what) }]);
    expect(read).toMatchObject({ proxy: { ready: 6 }, runs: [] });
  },
);

test.each([
  ['Installation', /installations/, 'data plane', 'Calico'],
  ['DaemonSet', /daemonsets/, 'agents', 'kube-proxy'],
  ['FelixConfiguration', /felixconfigurations/, 'data plane'],
])('a row does not say of a forbidden %s that there is none', async (kind, paths, ...rows) => {
  const { out } = await statusOf(await clusterThatForbids(paths));
  for (const row of rows) expect(out).toMatch(new RegExp(`^${row} .*not verified`, 'm'));
  expect(out).toContain(`? ${kind}: These`);
  expect(out).not.toMatch(/no Installation|no DaemonSet|none$|no setting/m);
});

test('a running run is not called abandoned where the Lease may not be read', async () => {
  const cluster = await clusterThatForbids(/leases/, [aRun]);
  const outputs = [await statusOf(cluster), await runCommand(runs, cluster, 80, env)];
  for (const { code, out, err } of outputs) {
    expect(out).toMatch(/^r /m);
    expect(`${out}${err}`).toContain('? Lease: ');
    expect(`${out}${err}`).not.toContain('no process executes it');
    expect(code).toBe(5);
  }
});

test('runs of one namespace are shown where those of the other may not be read', async () => {
  const cluster = await clusterThatForbids(/kube-system\/(configmaps|leases)/, [aRun]);
  const { out, err, code } = await runCommand(runs, cluster, 80, env);
  expect(out).toMatch(/^r /m);
  expect(err.replaceAll(/\s+/g, ' ')).toContain('list configmaps in namespace kube-system');
  expect(code).toBe(5);
});

test.each([
  ['the runs of one namespace may not be read', runs, /kube-system\/configmaps/],
  ['the process that executes runs may not be read', runs, /leases/],
  ['the runs of one namespace may not be read', status, /kube-system\/configmaps/],
  ['the Installation may not be read', status, /installations/],
])('a script learns from the exit code that %s', async (_what, command, paths) => {
  const { code, out } = await runCommand(command, [...(await clusterThatForbids(paths)), '-o', 'json'], 80, env);
  expect(code).toBe(5);
  expect(JSON.parse(out).unknown).toHaveLength(1);
  const whole = await runCommand(command, [...(await clusterThatForbids(/nothing/)), '-o', 'json'], 80, env);
  expect(whole.code).toBe(0);
});

test('inspect and dump mark in their data what may not be read, and exit with 0', async () => {
  const cluster = await clusterThatForbids(/installations/);
  const facts = await runCommand(inspect, [...cluster, '-o', 'json'], 80, env);
  expect(facts.code).toBe(0);
  expect(JSON.parse(facts.out).coverage.installation).toMatchObject({
    missing: [expect.objectContaining({ kind: 'Installation.operator.tigera.io' })],
  });
  const saved = await runCommand(dump, [...cluster, '-o', join(folder, 'part'), '--summary', 'json'], 80, env);
  expect(saved.code).toBe(0);
  const record = JSON.parse(saved.out);
  expect(record.complete).toBe(false);
  expect(record.kinds.find(({ kind }: { kind: string }) => kind === 'Installation')).toMatchObject({
    state: 'refused',
    because: expect.stringContaining('not allowed to list installations'),
  });
});

test('status and runs of a dump without ConfigMaps say what it lacks, which is no refusal', async () => {
  const dump = join(folder, 'daemonsets.json');
  writeFileSync(dump, JSON.stringify({ kind: 'List', apiVersion: 'v1', items: Object.values(there) }));
  const shown = await runCommand(status, ['--from', dump], 80, env);
  expect(shown.out).toMatch(/^kube-proxy {2}6 of 6 ready$/m);
  expect(shown.out).toMatch(/^\? ConfigMap: Runs may be missing here: The dump holds no ConfigMap/m);
  const listed = await runCommand(runs, ['--from', dump], 80, env);
  expect(listed.err).toMatch(/^\? ConfigMap: /m);
  expect(listed.err).not.toContain('There is no run');
  expect(`${shown.out}${listed.err}`).not.toContain('Lease');
  expect([shown.code, listed.code]).toEqual([0, 0]);
});

test.each([
  ['its maker was not allowed to read', { verb: 'list', group: '', resource: 'configmaps' }],
  ['its maker got no answer for', undefined],
])('status and runs of a dump name a kind that %s, which is no refusal', async (_what, rule) => {
  const dump = join(folder, `without-${rule?.resource ?? 'answer'}`);
  mkdirSync(dump);
  writeFileSync(
    join(dump, 'objects.json'),
    JSON.stringify({ kind: 'List', apiVersion: 'v1', items: Object.values(there) }),
  );
  const because = 'ConfigMaps were not listed.';
  const refused = {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    resource: 'configmaps',
    file: null,
    objects: 0,
    state: 'refused',
  };
  const record = {
    apiVersion: 'signalbox.dev/v1',
    kind: 'Dump',
    metadata: { name: 'lab', creationTimestamp: '2026-11-28T03:00:00Z' },
    signalboxVersion: '0.1.0',
    kubernetesVersion: null,
    server: null,
    apis: null,
    redacted: false,
    complete: false,
    kinds: [{ ...refused, because, ...(rule ? { rule } : {}) }],
    leftOut: [],
  };
  writeFileSync(join(dump, 'signalbox-dump.json'), JSON.stringify(record));
  const shown = await runCommand(status, ['--from', dump], 80, env);
  expect(shown.out).toMatch(/^kube-proxy {2}6 of 6 ready$/m);
  expect(shown.out).toContain(`? ConfigMap: Runs may be missing here: ${because}`);
  const listed = await runCommand(runs, ['--from', dump], 80, env);
  expect(listed.err).toContain(`? ConfigMap: Runs may be missing here: ${because}`);
  expect(listed.err).not.toContain('There is no run');
  expect(`${shown.out}${listed.err}`).not.toContain('Lease');
  expect([shown.code, listed.code]).toEqual([0, 0]);
});

test('runs says that there is no run, also where the Lease may not be read', async () => {
  const { err, code } = await runCommand(runs, await clusterThatForbids(/leases/), 80, env);
  expect(err).toContain('There is no run on this cluster.');
  expect(code).toBe(5);
});

test('in a pipe each kind that may not be read is one line', async () => {
  const { out } = await statusOf(await clusterThatForbids(/configmaps|leases/));
  for (const kind of ['ConfigMap', 'Lease'])
    expect(out).toMatch(new RegExp(`^\\? ${kind}: .* in namespace \\S+ .*$`, 'm'));
});

test.each([
  ['status of a cluster of which nothing may be read', status, /./, []],
  ['the runs, none of which may be read', runs, /configmaps/, []],
  ['to follow a run, where no run may be read', status, /configmaps/, ['--watch']],
  ['to follow a run, where those of one namespace may not be read', status, /signalbox\/configmaps/, ['--watch']],
])('refused is refused: %s', async (_what, command, paths, more) => {
  const cluster = await clusterThatForbids(paths);
  await expect(runCommand(command, [...cluster, ...more], 80, env)).rejects.toMatchObject({ code: 'forbidden' });
});
