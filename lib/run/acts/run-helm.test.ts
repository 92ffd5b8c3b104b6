import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createStore, type KubeObject } from '#lib/kube/index.ts';
import { resources } from '#lib/spec/index.ts';
import { changedBetween } from './guards.ts';
import { HelmMissing } from './helm-program.ts';
import { type HelmAct, helmLine, runHelm } from './run-helm.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllEnvs();
});

const act: HelmAct = {
  kind: 'helm',
  verb: 'upgrade',
  release: 'calico',
  namespace: 'tigera-operator',
  chart: '/srv/a chart',
  version: 'v3.31.4',
  set: {},
  values: 'reset-then-reuse',
};

const record = (revision: number, status: string, { description = '', version = 'v3.30.7' } = {}): KubeObject => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: {
    namespace: 'tigera-operator',
    name: `sh.helm.release.v1.calico.v${revision}`,
    labels: { name: 'calico', owner: 'helm', status, version: String(revision) },
  },
  data: {
    release: packed({ info: { status, description }, chart: { metadata: { name: 'tigera-operator', version } } }),
  },
});

const packed = (release: unknown) =>
  Buffer.from(gzipSync(JSON.stringify(release)).toString('base64')).toString('base64');

function reached(...objects: KubeObject[]) {
  const kube = createStore({ name: 'lab', source: 'live', kinds: [resources.secrets], objects });
  return Object.assign(kube, { reachedBy: { kubeconfig: '/home/alice/.kube/lab', context: 'lab' } });
}

test('a release that stays pending is not touched, and the lines that settle it are told', async () => {
  const ended = expect(
    runHelm(reached(record(1, 'deployed'), record(2, 'pending-upgrade')), act, 'act'),
  ).rejects.toThrow(
    /revision 2 is pending-upgrade.*`helm history calico --namespace tigera-operator`.*`helm rollback calico REVISION --namespace tigera-operator`/,
  );
  await vi.advanceTimersByTimeAsync(60_000);
  await ended;
});

test('a cluster that no helm can reach is for somebody else’s helm', async () => {
  const kube = createStore({ name: 'lab', source: 'live', kinds: [resources.secrets], objects: [] });
  await expect(runHelm(kube, act, 'act')).rejects.toThrow(HelmMissing);
  expect(helmLine(act)).toBe(
    "helm upgrade calico '/srv/a chart' --namespace tigera-operator --history-max 0 --reset-then-reuse-values --version v3.31.4",
  );
});

const rollback: HelmAct = {
  kind: 'helm',
  verb: 'rollback',
  release: 'calico',
  namespace: 'tigera-operator',
  revision: 4,
};
const old = record(4, 'superseded');
const own = record(5, 'superseded', { version: 'v3.31.4' });
const own6 = record(6, 'superseded', { version: 'v3.31.4' });
const back = { description: 'Rollback to 4' };

test('the line for a helm elsewhere says where this release has its records', () => {
  expect(helmLine({ ...rollback, driver: 'configmap' })).toBe(
    'env HELM_DRIVER=configmap helm rollback calico 4 --namespace tigera-operator --history-max 0',
  );
});

test('no message of helm tells by which kubeconfig and context this machine reaches the cluster: journals keep it', async () => {
  const changed = [old, own, record(6, 'deployed', { version: 'v3.31.5' })];
  const error = await runHelm(reached(...changed), rollback, 'act').catch((thrown: Error) => thrown);
  expect((error as Error).message).toContain(
    'run `helm rollback calico 4 --namespace tigera-operator --history-max 0` and continue',
  );
  expect((error as Error).message).not.toMatch(/kube-context|kubeconfig|alice/);
});

test.each<[string, KubeObject[], RegExp]>([
  [
    'an upgrade by a colleague',
    [old, own, record(6, 'deployed', { version: 'v3.31.5' })],
    /revision 6 \(deployed, tigera-operator-v3\.31\.5\)/,
  ],
  [
    'one after a rollback by hand that this run was told to make',
    [old, record(5, 'superseded', back), record(6, 'superseded', { version: 'v3.31.4' }), record(7, 'deployed')],
    /revision 7 \(deployed, tigera-operator-v3\.30\.7\)/,
  ],
  [
    'an upgrade after it went back from its second revision to its first',
    [
      ...[old, record(5, 'superseded'), own6, record(7, 'superseded', { description: 'Rollback to 5' })],
      record(8, 'deployed', { version: 'v3.30.8' }),
    ],
    /changed after this run: revision 8 \(deployed, tigera-operator-v3\.30\.8\)/,
  ],
])('the way back takes nothing of somebody else’s with it: %s', async (_what, objects, sentence) => {
  await expect(runHelm(reached(...objects), rollback, 'act')).rejects.toThrow(sentence);
});

test.each<[string, KubeObject[]]>([
  ['its own revision alone', [old, record(5, 'deployed', { version: 'v3.31.4' })]],
  ['a failed attempt before it', [old, record(5, 'failed'), record(6, 'deployed', { version: 'v3.31.4' })]],
  [
    'both of its own revisions, where it went back from the second to the first',
    [old, record(5, 'superseded'), own6, record(7, 'deployed', { description: 'Rollback to 5' })],
  ],
  ['a rollback that failed', [old, record(5, 'deployed', { version: 'v3.31.4' }), record(6, 'failed')]],
])('the way back goes on over %s', async (_what, objects) => {
  vi.stubEnv('PATH', '/none');
  await expect(runHelm(reached(...objects), rollback, 'act')).rejects.toThrow(HelmMissing);
});

test('a record that cannot be read is no record without kinds', async () => {
  const unread = { ...record(5, 'deployed', { version: 'v3.31.4' }), data: { release: 'bm8gcmVsZWFzZQ==' } };
  await expect(runHelm(reached(old, unread), rollback, 'act')).rejects.toThrow(
    /record of revision 5 of tigera-operator\/calico cannot be read: which kinds Helm would delete is not verified/,
  );
});

test('a rollback that a killed process had begun is waited for, and not made twice', async () => {
  const kube = reached(old, own, record(6, 'pending-rollback', back));
  const ended = runHelm(kube, rollback, 'act');
  await vi.advanceTimersByTimeAsync(1_000);
  await kube.replace(resources.secrets, record(6, 'deployed', back));
  await vi.advanceTimersByTimeAsync(5_000);
  await expect(ended).resolves.toBeUndefined();
});

test('a rollback goes on over a release that stays pending, which it settles', async () => {
  vi.stubEnv('PATH', '/none');
  const ended = expect(runHelm(reached(old, record(5, 'pending-upgrade')), rollback, 'act')).rejects.toThrow(
    HelmMissing,
  );
  await vi.advanceTimersByTimeAsync(60_000);
  await ended;
});

test.each<[string, KubeObject[], HelmAct | null, number]>([
  ['an upgrade of somebody else’s before it began', [old, record(5, 'deployed')], null, 1],
  ['an upgrade of somebody else’s since', [old, record(5, 'deployed', { version: 'v3.30.8' })], act, 1],
  ['this very upgrade, whose process was killed', [old, record(5, 'deployed', { version: 'v3.31.4' })], act, 0],
  ['its helm, which has not ended', [old, record(5, 'pending-upgrade', { version: 'v3.31.4' })], act, 0],
  ['a helm of somebody else’s', [old, record(5, 'pending-upgrade', { version: 'v3.30.8' })], act, 1],
  ['a rollback as the pause advises', [old, record(5, 'failed'), record(6, 'deployed', back)], act, 0],
])('the guard on the revision that was found, and %s', async (_what, objects, begun, changes) => {
  const target = { resource: resources.secrets, namespace: 'tigera-operator', name: 'sh.helm.release.v1.calico.v4' };
  const guard = { target, expected: [{ path: ['metadata', 'labels', 'status'], equals: 'deployed' }] };
  expect(await changedBetween(reached(...objects), [guard], begun)).toHaveLength(changes);
});
