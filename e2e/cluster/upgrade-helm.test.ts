import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ensureHelm, unexpectedDials } from '#e2e/controlplane/index.ts';
import type { Kube } from '#lib/kube/index.ts';
import { names, resources } from '#lib/spec/index.ts';
import { type CalicoCluster, isSettled, startCalicoCluster } from './testing/calico-cluster.ts';
import { comesBackTo } from './testing/comes-back.ts';
import { contentsOf } from './testing/contents.ts';
import { eventually } from './testing/eventually.ts';
import { openOperations } from './testing/journal.ts';
import { operatorChart } from './testing/operator-chart.ts';
import { mustSignalbox, startSignalbox } from './testing/signalbox-process.ts';
import { type Wire, type Write, wireTo } from './testing/wire.ts';

/**
 * From one release to the next by a real Helm, with Secrets as that writes them: the process is killed while its helm is at work, which goes on by itself;
 * then back by `helm rollback`, and every object but Helm's own records is compared.
 */
let cluster: CalicoCluster;
let wire: Wire;
let helmFolder: string;

beforeAll(async () => {
  helmFolder = await ensureHelm();
  cluster = await startCalicoCluster({ like: 'v3.30.7', nodes: 2 });
  wire = await wireTo(cluster.plane, 'helm');
}, 900_000);

afterAll(async () => {
  wire?.close();
  await cluster?.stop();
});

const toOperator = ({ path, method }: Write) => method === 'PATCH' && path.endsWith('/deployments/tigera-operator');
const operator = {
  resource: resources.deployments,
  namespace: names.operatorNamespace,
  name: names.operatorDeployment,
};
const installation = { resource: resources.installations, name: 'default' };
const kubelet = '/var/lib/kubelet';

test('3.30.7 to 3.31.4 by Helm and back: values stay, one that moved is moved, and every object comes back', async () => {
  const { kube, plane } = cluster;
  const { cwd } = cluster.desk;
  const desk = { ...cluster.desk, kubeconfig: wire.kubeconfig };
  const env = { SIGNALBOX_CALICO_DIR: process.env.SIGNALBOX_CALICO_DIR, PATH: `${helmFolder}:${process.env.PATH}` };
  const helm = (...args: string[]) =>
    execFileSync('helm', [...args, '--namespace', names.operatorNamespace, '--kubeconfig', plane.kubeconfig], {
      env: { ...process.env, ...env, HOME: cwd },
      encoding: 'utf8',
    });
  const charts = await Promise.all(['v3.30.7', 'v3.31.4'].map((version) => operatorChart(cwd, version)));
  const spec = Object((await kube.get(installation))?.spec);
  const secret = 'hunter2-of-a-registry';
  const given = {
    installation: { ...spec, kubeletVolumePluginPath: undefined },
    kubeletVolumePluginPath: kubelet,
    imagePullSecrets: { pull: secret },
  };
  writeFileSync(join(cwd, 'values.yaml'), JSON.stringify(given));
  helm('install', 'calico', `${charts[0]}`, '--take-ownership', '-f', join(cwd, 'values.yaml'));
  await eventually('Calico to stand still', () => isSettled(plane));
  const before = await withoutRecords(kube);

  const accepted = ['platform.kubernetes-version', 'upgrade.field-conflicts', 'not-measured'];
  const planned = await mustSignalbox(
    desk,
    [
      ...['plan', '--goal', 'upgrade', '--release', 'v3.31.4', '--chart', `${charts[1]}`, '--out', 'plan.json'],
      ...accepted.flatMap((id) => ['--acknowledge', `${id}=tried in a test`]),
    ],
    env,
  );
  expect(planned.out).toContain(`+installation.kubeletVolumePluginPath: ${kubelet}`);
  expect(planned.out).toContain('Ready to apply.');
  const apply = () => startSignalbox(desk, ['apply', 'plan.json', '--yes', '-o', 'json'], env);

  const first = apply();
  await eventually('helm to replace the operator', () => Promise.resolve(wire.writes.some(toOperator)), { everyMs: 5 });
  first.signal('SIGKILL');
  expect((await first.ended).code).toBeNull();
  expect(await openOperations(kube)).toEqual(['helm.upgrade']);

  const second = apply();
  expect(await second.ended).toMatchObject({ code: 0, err: expect.stringContaining('is done') });
  expect(history(helm)).toEqual([
    [1, 'superseded', 'tigera-operator-v3.30.7'],
    [2, 'deployed', 'tigera-operator-v3.31.4'],
  ]);
  expect(await kube.get(operator)).toMatchObject({
    spec: { template: { spec: { containers: [{ image: expect.stringMatching(/:v1\.40\./) }] } } },
  });
  expect((await kube.get(installation))?.spec).toMatchObject({ kubeletVolumePluginPath: kubelet });
  // What people gave the chart is Helm's alone to keep.
  const journals = JSON.stringify(
    (await contentsOf(kube)).filter(({ metadata }) => metadata.namespace === 'signalbox'),
  );
  for (const text of [journals, second.said.out, second.said.err, planned.out]) expect(text).not.toContain(secret);

  const undone = await startSignalbox(desk, ['undo', '--yes', '-o', 'json'], env).ended;
  expect(undone).toMatchObject({ code: 0, err: expect.stringContaining('was taken back') });
  expect(history(helm).at(-1)).toEqual([3, 'deployed', 'tigera-operator-v3.30.7']);
  await eventually('Calico to stand still', () => isSettled(plane));
  await comesBackTo(before, () => withoutRecords(kube));
  expect(unexpectedDials(plane.egressLog())).toEqual([]);
}, 600_000);

/** Revisions come on top, also on the way back. */
async function withoutRecords(kube: Kube) {
  return (await contentsOf(kube)).filter(({ metadata }) => !metadata.name?.startsWith('sh.helm.release.'));
}

function history(helm: (...args: string[]) => string): [number, string, string][] {
  const revisions: { revision: number; status: string; chart: string }[] = JSON.parse(
    helm('history', 'calico', '-o', 'json'),
  );
  return revisions.map(({ revision, status, chart }) => [revision, status, chart]);
}
