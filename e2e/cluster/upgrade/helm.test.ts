import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ensureHelm, unexpectedDials } from '#e2e/controlplane/index.ts';
import type { Kube, KubeObject } from '#lib/kube/index.ts';
import { names, resources } from '#lib/spec/index.ts';
import { type CalicoCluster, isSettled, startCalicoCluster } from '../testing/calico-cluster.ts';
import { comesBackTo } from '../testing/comes-back.ts';
import { contentsOf } from '../testing/contents.ts';
import { eventually } from '../testing/eventually.ts';
import { openOperations } from '../testing/journal.ts';
import { definitionsChart, operatorChart } from '../testing/operator-chart.ts';
import { grant, printedBy } from '../testing/printed-roles.ts';
import { mustSignalbox, startSignalbox } from '../testing/signalbox-process.ts';
import { type Wire, type Write, wireTo } from '../testing/wire.ts';

/**
 * An upgrade from one release to the next with a real Helm and its Secrets. The process is killed while its helm program runs, and the program continues.
 * Then the undo by `helm rollback`: every object except Helm's own records must be as before.
 */
let cluster: CalicoCluster;
let wire: Wire;
let folders: { helm3: string; helm4: string };

beforeAll(async () => {
  folders = { helm3: await ensureHelm('helm3'), helm4: await ensureHelm('helm4') };
  cluster = await startCalicoCluster({ like: 'v3.30.7', nodes: 2 });
  wire = await wireTo(cluster.plane, 'helm');
}, 900_000);

afterAll(async () => {
  wire?.close();
  await cluster?.stop();
});

const toKinds = ({ path, method }: Write) => method === 'PATCH' && path.includes('/customresourcedefinitions/');
const toOperator = ({ path, method }: Write) => method === 'PATCH' && path.endsWith('/deployments/tigera-operator');
const operator = {
  resource: resources.deployments,
  namespace: names.operatorNamespace,
  name: names.operatorDeployment,
};
const operatorsOwn = { namespace: names.operatorNamespace };
const installation = { resource: resources.installations, name: 'default' };
const kubelet = '/var/lib/kubelet';

const env = { SIGNALBOX_CALICO_DIR: process.env.SIGNALBOX_CALICO_DIR };
const withHelm = (which: keyof typeof folders) => ({ ...env, PATH: `${folders[which]}:${process.env.PATH}` });

/** The setting of Helm's storage driver. */
let keptIn: { HELM_DRIVER?: string } = {};

function helm(which: keyof typeof folders, ...args: string[]): string {
  const { plane, workplace } = cluster;
  return execFileSync(
    join(folders[which], 'helm'),
    [...args, '--namespace', names.operatorNamespace, '--kubeconfig', plane.kubeconfig],
    { env: { ...process.env, HOME: workplace.cwd, ...keptIn }, encoding: 'utf8' },
  );
}

async function plan(chart: string, workplace = { ...cluster.workplace, kubeconfig: wire.kubeconfig }) {
  const accepted = ['platform.kubernetes-version', 'upgrade.field-conflicts', 'not-measured'];
  return mustSignalbox(
    workplace,
    [
      ...['plan', '--goal', 'upgrade', '--release', 'v3.31.4', '--chart', chart, '--out', 'plan.json'],
      ...accepted.flatMap((id) => ['--acknowledge', `${id}=tried in a test`]),
    ],
    withHelm('helm3'),
  );
}

const secret = 'hunter2-of-a-registry';

test('3.30.7 to 3.31.4 by Helm 3 and back, the kinds in a release of their own: values stay, one that moved is moved, every object comes back, and the rights that rbac prints are enough', async () => {
  const { kube, plane } = cluster;
  const { cwd } = cluster.workplace;
  const apart = (version: string) => operatorChart(cwd, version, { files: version, kinds: 'apart' });
  const old = await apart('v3.30.7');
  await definitionsChart(cwd, 'v3.31.4');
  helm('helm3', 'install', 'calico-crds', await definitionsChart(cwd, 'v3.30.7'), '--take-ownership');
  helm('helm3', 'install', 'calico', old, '--take-ownership', '-f', await administratorsValues(kube));
  // The Roles that are printed for these two releases suffice, and allow no change of any other Secret.
  const workplace = cluster.workplaceOf('applicant', wire.kubeconfigFor('applicant'));
  const releases = ['calico', 'calico-crds'].flatMap((name) => ['--helm-release', `tigera-operator/${name}/1`]);
  await grant(plane, 'applicant', await printedBy(workplace, 'upgrade', '--method', 'helm', ...releases));
  await eventually('Calico to stand still', () => isSettled(plane));
  const before = await withoutRecords(kube);
  const valuesBefore = helm('helm3', 'get', 'values', 'calico');

  const planned = await plan(await apart('v3.31.4'), workplace);
  expect(planned.out).toContain(`+installation.kubeletVolumePluginPath: ${kubelet}`);
  expect(planned.out).toContain('Ready to apply.');
  const apply = () => startSignalbox(workplace, ['apply', 'plan.json', '--yes', '-o', 'json'], withHelm('helm3'));

  const killedAt = async (operation: string, write: (one: Write) => boolean) => {
    const process = apply();
    await eventually(`a write of ${operation}`, () => Promise.resolve(wire.writes.some(write)), { everyMs: 5 });
    process.signal('SIGKILL');
    expect((await process.ended).code).toBeNull();
    expect(await openOperations(kube)).toEqual([operation]);
  };
  await killedAt('helm.crds', toKinds);
  await killedAt('helm.upgrade', toOperator);
  const second = apply();
  expect(await second.ended).toMatchObject({ code: 0, err: expect.stringContaining('is done') });
  expect(history()).toEqual([
    [1, 'superseded', 'tigera-operator-v3.30.7'],
    [2, 'deployed', 'tigera-operator-v3.31.4'],
  ]);
  expect(history('calico-crds')).toEqual([
    [1, 'superseded', 'crd.projectcalico.org.v1-v3.30.7'],
    [2, 'deployed', 'crd.projectcalico.org.v1-v3.31.4'],
  ]);
  await isUpgraded(kube);
  // Only Helm stores the values that people gave the chart.
  const journals = JSON.stringify(
    (await contentsOf(kube)).filter(({ metadata }) => metadata.namespace === 'signalbox'),
  );
  for (const text of [journals, second.output.out, second.output.err, planned.out]) expect(text).not.toContain(secret);

  const undone = await startSignalbox(workplace, ['undo', '--yes', '-o', 'json'], withHelm('helm3')).ended;
  expect(undone).toMatchObject({ code: 0, err: expect.stringContaining('was undone') });
  expect(history().at(-1)).toEqual([3, 'deployed', 'tigera-operator-v3.30.7']);
  expect(history('calico-crds').at(-1)).toEqual([3, 'deployed', 'crd.projectcalico.org.v1-v3.30.7']);
  // Values that are set in an upgrade must not end up in Helm's record of an earlier revision.
  expect(helm('helm3', 'get', 'values', 'calico')).toBe(valuesBefore);
  await eventually('Calico to stand still', () => isSettled(plane));
  await comesBackTo(before, () => withoutRecords(kube));
  // No right to delete Helm's records is needed.
  expect(wire.writes.some(({ method, path }) => method === 'POST' && path.endsWith('/secrets'))).toBe(true);
  expect(wire.writes.filter(({ method, path }) => method === 'DELETE' && path.includes('/secrets'))).toEqual([]);
}, 600_000);

test('3.30.4 with eBPF and VXLAN, of Helm 3 and kept in ConfigMaps, goes by 3.30.7 to 3.31.4 by Helm 4, killed in between; without a helm the way back tells its lines, and goes on when somebody ran them; the rights that rbac prints for ConfigMaps are enough', async () => {
  const { kube, plane } = cluster;
  const workplace = cluster.workplaceOf('with-configmaps', wire.kubeconfigFor('applicant'));
  await forgetReleases(kube);
  keptIn = { HELM_DRIVER: 'configmap' };
  const { cwd } = workplace;
  const values = await administratorsValues(kube);
  const played = await operatorChart(cwd, 'v3.30.4', { files: 'v3.30.7', operator: 'v1.38.7' });
  const onBpf = ['--set', 'installation.calicoNetwork.linuxDataplane=BPF'];
  helm('helm3', 'install', 'calico', played, '--take-ownership', '-f', values, ...onBpf);
  const flags = ['--helm-driver', 'configmap', '--helm-release', 'tigera-operator/calico/1'];
  const printed = await printedBy(workplace, 'upgrade', '--method', 'helm', ...flags);
  // Of the same names as those of the test before, which they replace.
  await grant(plane, 'applicant', printed);
  const secretsChanged = ruleLines(printed).filter((line) => /\bsecrets\b/.test(line) && /create|update/.test(line));
  expect(secretsChanged).toEqual([]);
  await eventually('3.30.4 to run', () => runs('v3.30.4'));
  await eventually('Calico to stand still', () => isSettled(plane));
  const before = await withoutRecords(kube);
  for (const release of ['v3.30.7', 'v3.31.4']) await operatorChart(cwd, release);
  await plan(join(cwd, 'tigera-operator-{version}'), workplace);
  const apply = () => startSignalbox(workplace, ['apply', 'plan.json', '--yes', '-o', 'json'], withHelm('helm4'));
  const first = apply();
  await eventually('the release between', () => runs('v3.30.7'), { everyMs: 50 });
  first.signal('SIGKILL');
  expect((await first.ended).code).toBeNull();
  expect(await apply().ended).toMatchObject({ code: 0, err: expect.stringContaining('is done') });
  expect(history()).toEqual([
    [1, 'superseded', 'tigera-operator-v3.30.4'],
    [2, 'superseded', 'tigera-operator-v3.30.7'],
    [3, 'deployed', 'tigera-operator-v3.31.4'],
  ]);
  await isUpgraded(kube);

  const back = startSignalbox(workplace, ['undo', '--yes', '-o', 'json'], env);
  for (const revision of [2, 1]) {
    const command = `\`env HELM_DRIVER=configmap helm rollback calico ${revision} --namespace tigera-operator`;
    await back.event(`helm's line to revision ${revision}`, ({ event, data }) => {
      return event === 'log' && data.message.includes('Run this yourself') && data.message.includes(command);
    });
    helm('helm4', 'rollback', 'calico', `${revision}`);
  }
  expect(await back.ended).toMatchObject({ code: 0, err: expect.stringContaining('was undone') });
  await eventually('Calico to stand still', () => isSettled(plane));
  await comesBackTo(before, () => withoutRecords(kube));
  expect(wire.writes.filter(({ method, path }) => method === 'DELETE' && /sh\.helm\.release/.test(path))).toEqual([]);
  expect(unexpectedDials(plane.egressLog())).toEqual([]);
}, 600_000);

function ruleLines(printed: readonly KubeObject[]): string[] {
  return printed.flatMap(({ rules }) => (Array.isArray(rules) ? rules.map((one) => JSON.stringify(one)) : []));
}

/** The file of values that the administrator wrote for the operator's chart; its path. */
async function administratorsValues(kube: Kube): Promise<string> {
  const spec = Object((await kube.get(installation))?.spec);
  const values = {
    installation: { ...spec, kubeletVolumePluginPath: undefined },
    kubeletVolumePluginPath: kubelet,
    imagePullSecrets: { pull: secret },
  };
  const file = join(cluster.workplace.cwd, 'values.yaml');
  writeFileSync(file, JSON.stringify(values));
  return file;
}

/** Helm's records, and its marks on the definitions that were a release of their own: nothing but a record says of them whose they are. */
async function forgetReleases(kube: Kube): Promise<void> {
  const own = { ...operatorsOwn, resource: resources.secrets };
  for await (const { items } of kube.list(own.resource, { ...operatorsOwn, labelSelector: 'owner=helm' }))
    for (const { metadata } of items) await kube.delete({ ...own, name: metadata.name ?? '' });
  const marked = { labelSelector: 'app.kubernetes.io/managed-by=Helm' };
  for await (const { items } of kube.list(resources.customResourceDefinitions, marked))
    for (const { metadata } of items)
      await kube.patch(
        { resource: resources.customResourceDefinitions, name: metadata.name ?? '' },
        {
          type: 'merge',
          body: {
            metadata: {
              labels: { 'app.kubernetes.io/managed-by': null, 'helm.sh/chart': null },
              annotations: { 'meta.helm.sh/release-name': null, 'meta.helm.sh/release-namespace': null },
            },
          },
        },
      );
}

async function isUpgraded(kube: Kube): Promise<void> {
  expect(await kube.get(operator)).toMatchObject({
    spec: { template: { spec: { containers: [{ image: expect.stringMatching(/:v1\.40\./) }] } } },
  });
  expect((await kube.get(installation))?.spec).toMatchObject({ kubeletVolumePluginPath: kubelet });
}

/** What the operator says that every node runs. */
async function runs(version: string): Promise<boolean> {
  return Object((await cluster.kube.get(installation))?.status).calicoVersion === version;
}

/** Revisions come on top, also on the way back. */
async function withoutRecords(kube: Kube) {
  return (await contentsOf(kube)).filter(({ metadata }) => !metadata.name?.startsWith('sh.helm.release.'));
}

function history(release = 'calico'): [number, string, string][] {
  const revisions: { revision: number; status: string; chart: string }[] = JSON.parse(
    helm('helm3', 'history', release, '-o', 'json'),
  );
  return revisions.map(({ revision, status, chart }) => [revision, status, chart]);
}
