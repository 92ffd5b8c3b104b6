import { afterEach, expect, test } from 'vitest';
import { expectSameCluster } from '#e2e/journey/index.ts';
import type { KubeObject } from '#lib/kube/index.ts';
import { continueRun, forgetRun, listRuns, startRun } from '#lib/run/index.ts';
import { sandboxRelease } from '#lib/sandbox/index.ts';
import { journalNamespaces, names, resourceOf, resources } from '#lib/spec/index.ts';
import { type InstallStage, installed, openInstallStage } from '../testing/install-stage.ts';
import { startedRun } from '../testing/started-run.ts';

let stage: InstallStage;
afterEach(() => stage.close());

/** Applies some objects of a file, as a user might with kubectl before the run. */
async function apply(file: string, which: (object: { kind: string }) => boolean = () => true): Promise<void> {
  for (const object of sandboxRelease(installed).manifests[file]?.objects ?? []) {
    const resource = resourceOf(object.apiVersion, object.kind);
    if (!resource || !which(object)) continue;
    await stage.store.apply(resource, object as KubeObject, { fieldManager: 'kubectl', force: true });
  }
}

const statuses = (operations: readonly { id: string; status: string }[]) =>
  Object.fromEntries(operations.map(({ id, status }) => [id, status]));

test('an installation that somebody began is carried on: what is there is kept, also by the undo', async () => {
  stage = await openInstallStage({ nodes: 2 });
  await apply('operator-crds.yaml');
  await apply('tigera-operator.yaml');
  await stage.pass(60);
  const before = await stage.contents();
  const { plan, findings } = await stage.prepare();
  expect(findings.verdict).toBe('ready');
  expect(statuses(plan.operations)).toMatchObject({
    namespace: 'already-done',
    crds: 'already-done',
    'operator.apply': 'already-done',
    'endpoint.configmap': 'needed',
    'endpoint.restart-operator': 'needed',
    'custom-resources': 'needed',
  });
  const { run, outcome } = startedRun(await startRun(stage.installer(), plan));
  expect(outcome).toEqual({ kind: 'done' });
  await stage.pass(60);
  const undone = startedRun(await continueRun(stage.installer(), run, { how: 'undo' }));
  expect(undone.outcome).toEqual({ kind: 'undone' });
  // The journal and its namespace stay until the run is forgotten.
  await forgetRun(stage.installer(), run);
  await stage.pass(60);
  const left = (await stage.contents()).map(({ kind, metadata }) => `${kind}/${metadata.name}`);
  const were = before.map(({ kind, metadata }) => `${kind}/${metadata.name}`);
  for (const kind of ['CustomResourceDefinition', 'Deployment', 'Namespace', 'ClusterRole'])
    expect(left.filter((one) => one.startsWith(kind)).sort()).toEqual(
      were.filter((one) => one.startsWith(kind)).sort(),
    );
  expect(left.filter((one) => /^(Installation|APIServer|FelixConfiguration)\//.test(one))).toEqual([]);
});

test('definitions of which one is missing are applied', async () => {
  stage = await openInstallStage({ nodes: 1 });
  await apply('operator-crds.yaml');
  await stage.store.delete({ resource: resources.customResourceDefinitions, name: 'ippools.crd.projectcalico.org' });
  const { plan } = await stage.prepare();
  const crds = plan.operations.find(({ id }) => id === 'crds');
  expect(crds).toMatchObject({ status: 'needed', previewed: 'dry-run' });
  expect(crds?.diff).toContain('@@ 1 new, 0 changed, 31 as they are @@');
  // The undo reverts only that object.
  expect(crds?.undo?.done).toMatchObject({ kind: 'all-absent', targets: [{ name: 'ippools.crd.projectcalico.org' }] });
});

test('what somebody else made stops the undo before it is deleted, and is named', async () => {
  stage = await openInstallStage({ nodes: 1 });
  const before = await stage.contents();
  const { run } = startedRun(await startRun(stage.installer(), (await stage.prepare()).plan));
  await stage.pass(60);
  const policy = {
    apiVersion: 'crd.projectcalico.org/v1',
    kind: 'GlobalNetworkPolicy',
    metadata: { name: 'default.deny-all' },
    spec: { selector: 'all()' },
  };
  await stage.store.create(resources.globalNetworkPolicies, policy, { fieldManager: 'kubectl-create' });
  const stopped = startedRun(await continueRun(stage.installer(), run, { how: 'undo' }));
  expect(stopped.outcome).toMatchObject({
    kind: 'paused',
    code: 'objects.of-others',
    operation: 'crds',
    because: expect.stringContaining('GlobalNetworkPolicy default.deny-all'),
    choices: ['keep-waiting', 'stop'],
  });
  const ref = { resource: resources.globalNetworkPolicies, name: 'default.deny-all' };
  expect(await stage.store.get(ref)).not.toBeNull();
  await stage.store.delete(ref);
  expect(startedRun(await continueRun(stage.installer(), run, { how: 'resume' })).outcome).toEqual({ kind: 'undone' });
  await stage.pass(60);
  expectSameCluster(before, await stage.contents());
});

test('something of somebody else in the operator’s namespace stops the undo as well', async () => {
  stage = await openInstallStage({ nodes: 1 });
  const { run } = startedRun(await startRun(stage.installer(), (await stage.prepare()).plan));
  await stage.pass(60);
  const metadata = { name: 'notes', namespace: names.operatorNamespace };
  const notes = { apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { a: 'b' } };
  await stage.store.create(resources.configMaps, notes, { fieldManager: 'kubectl-create' });
  const stopped = startedRun(await continueRun(stage.installer(), run, { how: 'undo' }));
  expect(stopped.outcome).toMatchObject({
    kind: 'paused',
    code: 'objects.of-others',
    operation: 'namespace',
    because: expect.stringContaining('ConfigMap tigera-operator/notes'),
  });
});

test('a console without the release’s files pauses with what is missing, and the next one carries on', async () => {
  stage = await openInstallStage({ nodes: 1 });
  const { plan } = await stage.prepare();
  const { run, outcome } = startedRun(await startRun(stage.process(), plan));
  expect(outcome).toMatchObject({
    kind: 'paused',
    code: 'release.missing',
    operation: 'crds',
    because: expect.stringContaining('operator-crds.yaml of Calico v3.31.4'),
  });
  const other = stage.installer();
  expect(startedRun(await continueRun(other, run, { how: 'resume' })).outcome).toEqual({ kind: 'done' });
});

test('another file under the same name is not applied', async () => {
  stage = await openInstallStage({ nodes: 1 });
  const { plan } = await stage.prepare();
  const manifests = async () => ({
    version: installed,
    file: 'operator-crds.yaml',
    sha256: '0'.repeat(64),
    objects: [],
  });
  const { outcome } = startedRun(await startRun({ ...stage.process(), manifests }, plan));
  expect(outcome).toMatchObject({ kind: 'paused', code: 'release.missing' });
  expect((await listRuns(stage.ours, journalNamespaces)).length).toBe(1);
});
