import { afterEach, expect, test } from 'vitest';
import { aProcess, clusterContents, expectSameCluster } from '#e2e/journey/index.ts';
import type { KubeObject } from '#lib/kube/index.ts';
import { parsePlan } from '#lib/plan/index.ts';
import { continueRun, startRun } from '#lib/run/index.ts';
import { adding, all, helmRelease, openSandbox, ownedByHelm, sandboxReleaseOn } from '#lib/sandbox/index.ts';
import { choicesSchema, names, openshiftUpgradeFile, resources } from '#lib/spec/index.ts';
import { preparePlan } from '#lib/usecases/index.ts';
import { startedRun } from '../testing/started-run.ts';

/** OpenShift has its own file for upgrades of the operator, without CustomResourceDefinitions. It mounts a ConfigMap that it does not contain (calico.md §1.2). */
let sandbox: Awaited<ReturnType<typeof openSandbox>>;
afterEach(() => sandbox.close());

const choices = choicesSchema.parse({ goal: 'upgrade', release: 'v3.31.4', acceptProposals: true });

async function planned() {
  const asked: unknown[] = [];
  const { plan } = await preparePlan({
    kube: sandbox.kube,
    clock: sandbox.clock,
    answers: choices,
    choices: () => choices,
    releases: async ({ version, platform, manifest }) => {
      asked.push(manifest);
      return sandboxReleaseOn(platform, version, manifest);
    },
    signal: new AbortController().signal,
  });
  return { plan, asked };
}

test('OpenShift from v3.30.7 to v3.31.4 and back: by the file for it alone, and only where what it mounts is there', async () => {
  sandbox = await openSandbox('openshift-3.30', { speed: 'instant', operator: 'v3.30.7' });
  const { kube, clock, store } = sandbox;
  await clock.sleep(60_000);
  const mounted = { resource: resources.configMaps, namespace: names.operatorNamespace, name: 'calico-resources' };
  const { metadata, ...object } = (await kube.get(mounted)) ?? { metadata: {} };
  await kube.delete(mounted);
  await expect(planned()).rejects.toThrow('mounts ConfigMap tigera-operator/calico-resources, which is not there');
  const { name, namespace } = metadata;
  await kube.create(mounted.resource, {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    ...object,
    metadata: { name, namespace },
  } as never);

  const before = await clusterContents(store);
  const { plan, asked } = await planned();
  expect(new Set(asked)).toEqual(new Set([openshiftUpgradeFile]));
  expect(plan.operations.map(({ id }) => id)).toEqual([
    'snapshot',
    'operator.apply',
    'release.active',
    'verify.pods',
    'verify.version',
    'verify.services',
  ]);
  expect(parsePlan(JSON.parse(JSON.stringify(plan)))).toEqual(JSON.parse(JSON.stringify(plan)));

  const memories = new Map();
  const { run, outcome } = startedRun(await startRun(aProcess({ kube, clock, memories }), plan));
  expect(outcome).toEqual({ kind: 'done' });
  const deployment = {
    resource: resources.deployments,
    namespace: names.operatorNamespace,
    name: names.operatorDeployment,
  };
  expect(JSON.stringify(await kube.get(deployment))).toContain('quay.io/calico/ctl:v3.31.4');
  const back = await continueRun(aProcess({ kube, clock, memories }), run, { how: 'undo' });
  expect(startedRun(back).outcome).toEqual({ kind: 'undone' });
  await clock.sleep(120_000);
  expectSameCluster(before, await clusterContents(store));
});

test('OpenShift by Helm: its chart has what OpenShift needs, so the kinds come from the file for all and Helm does the rest; and back', async () => {
  sandbox = await openSandbox('openshift-3.30', { speed: 'instant', operator: 'v3.30.7' });
  const { clock, store } = sandbox;
  await clock.sleep(60_000);
  const objects = await clusterContents(store);
  store.load(all(...ownedByHelm, adding(helmRelease({}, { version: 'v3.30.7' })))(objects));
  const before = (await clusterContents(store)).filter(isNoRecord);
  const { plan, asked } = await planned();
  expect(new Set(asked)).toEqual(new Set([undefined]));
  expect(plan.operations.map(({ id }) => id)).toEqual([
    ...['snapshot', 'crds', 'helm.upgrade', 'release.active'],
    ...['verify.pods', 'verify.version', 'verify.services'],
  ]);
  const memories = new Map();
  const { kube } = sandbox;
  const { run, outcome } = startedRun(await startRun(aProcess({ kube, clock, memories }), plan));
  expect(outcome).toEqual({ kind: 'done' });
  const back = await continueRun(aProcess({ kube, clock, memories }), run, { how: 'undo' });
  expect(startedRun(back).outcome).toEqual({ kind: 'undone' });
  await clock.sleep(120_000);
  expectSameCluster(before, (await clusterContents(store)).filter(isNoRecord));
});

/** False for Helm's records, which an upgrade and its undo add. */
const isNoRecord = ({ metadata }: KubeObject) => !metadata.name?.startsWith('sh.helm.release.');
