import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { unexpectedDials } from '#e2e/controlplane/index.ts';
import { parsePlan } from '#lib/plan/index.ts';
import { names, type ObjectRef, resources } from '#lib/spec/index.ts';
import { type CalicoCluster, isSettled, startCalicoCluster } from '../testing/calico-cluster.ts';
import { comesBackTo } from '../testing/comes-back.ts';
import { contentsOf } from '../testing/contents.ts';
import { eventually } from '../testing/eventually.ts';
import { holdNode, letNodeGo } from '../testing/hold-node.ts';
import { openOperations } from '../testing/journal.ts';
import { nodeVersions } from '../testing/node-versions.ts';
import { mustSignalbox, type Running, startSignalbox } from '../testing/signalbox-process.ts';
import { type Wire, type Write, wireTo } from '../testing/wire.ts';

/**
 * From one release of the public files to the next, by the real program, on an operator that behaves as the recorded one did (controlplane.md): killed
 * among the kinds, after the operator was replaced and while nodes change; then back, killed once more, and every object is compared.
 */
let cluster: CalicoCluster;
let wire: Wire;

beforeAll(async () => {
  cluster = await startCalicoCluster({ like: 'v3.30.7', nodes: 4 });
  wire = await wireTo(cluster.plane, 'wire');
});

afterAll(async () => {
  wire?.close();
  await cluster?.stop();
});

const operator: ObjectRef = {
  resource: resources.deployments,
  namespace: names.operatorNamespace,
  name: names.operatorDeployment,
};
const goldmane: ObjectRef = { resource: resources.goldmanes, name: 'default' };
const agents: ObjectRef = {
  resource: resources.daemonSets,
  namespace: names.calicoNamespace,
  name: names.nodeDaemonSet,
};
/** What people set on the operator's Deployment, beside what its release says. */
const peoples = {
  tolerations: [{ operator: 'Exists' }],
  // Away from the node that is held below.
  nodeSelector: { 'kubernetes.io/hostname': 'worker-2' },
  priorityClassName: 'system-cluster-critical',
  containers: [
    {
      name: names.operatorDeployment,
      env: [{ name: 'HTTPS_PROXY', value: 'http://proxy.example:3128' }],
      resources: { requests: { cpu: '50m' } },
    },
  ],
};

/** A CRD of Calico that another tool applies as well. */
const kept: ObjectRef = { resource: resources.customResourceDefinitions, name: 'ippools.crd.projectcalico.org' };
const keeper = 'platform-team';

const toKind = ({ path, method }: Write) =>
  method === 'PATCH' && path.endsWith('/customresourcedefinitions/ippools.crd.projectcalico.org');
const toOperator = ({ path, method }: Write) => method === 'PATCH' && path.endsWith('/deployments/tigera-operator');

test('3.30.7 to 3.31.4 and back: killed on the way, what people set stays, flow logs go on, and every object comes back', async () => {
  const { kube, plane } = cluster;
  const workplace = { ...cluster.workplace, kubeconfig: wire.kubeconfig };
  const env = { SIGNALBOX_CALICO_DIR: process.env.SIGNALBOX_CALICO_DIR };
  const template = { spec: peoples };
  await kube.apply(
    operator.resource,
    {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: operator.name, namespace: names.operatorNamespace },
      spec: { template },
    },
    { force: true, fieldManager: 'somebody' },
  );
  await kube.apply(
    kept.resource,
    {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: kept.name },
      spec: Object((await kube.get(kept))?.spec),
    },
    { force: true, fieldManager: keeper },
  );
  await eventually('Calico to stand still', () => isSettled(plane));
  const before = await contentsOf(kube);

  const accepted = ['platform.kubernetes-version', 'upgrade.field-conflicts', 'not-measured'];
  const planned = await mustSignalbox(
    workplace,
    [
      ...['plan', '--goal', 'upgrade', '--release', 'v3.31.4', '--afterwards', 'flow-logs', '--out', 'plan.json'],
      ...accepted.flatMap((id) => ['--acknowledge', `${id}=tried in a test`]),
    ],
    env,
  );
  expect(planned.out).toContain('Ready to apply.');
  const { findings, operations } = parsePlan(JSON.parse(readFileSync(join(workplace.cwd, 'plan.json'), 'utf8')));
  const conflicts = findings.findings.find(({ id }) => id === 'upgrade.field-conflicts');
  expect(conflicts?.subjects).toContainEqual(
    expect.objectContaining({ name: kept.name, detail: expect.stringContaining(`${keeper} owns .spec.versions`) }),
  );
  expect(operations.find(({ id }) => id === 'crds')?.diff).toContain(
    `! .spec.versions of CustomResourceDefinition/${kept.name} is taken over from ${keeper}\n`,
  );
  expect(await ownersOfVersions()).toContain(keeper);
  const apply = () => startSignalbox(workplace, ['apply', 'plan.json', '--yes', '-o', 'json'], env);

  const amongKinds = apply();
  wire.cutAfter(toKind, () => amongKinds.signal('SIGKILL'));
  await killed(amongKinds, 'crds');

  await holdNode(plane, 'worker-1');
  const withOperator = apply();
  wire.cutAfter(toOperator, () => withOperator.signal('SIGKILL'));
  await killed(withOperator, 'operator.apply');

  const moving = apply();
  await moving.event('worker-1 holds it up', ({ event, data }) => {
    if (event !== 'operation' || data.id !== 'release.active' || data.state !== 'waiting') return false;
    return data.heldUpBy.some(({ name }) => name === 'worker-1');
  });
  moving.signal('SIGKILL');
  await killed(moving, 'release.active');
  await letNodeGo(plane, 'worker-1');

  const last = apply();
  expect(await last.ended).toMatchObject({ code: 0, err: expect.stringContaining('is done') });
  expect(nodeVersions(last)).toEqual(['v3.31.4', 'v3.31.4', 'v3.31.4', 'v3.31.4']);
  expect(await kube.get(operator)).toMatchObject({
    spec: {
      template: {
        spec: {
          tolerations: peoples.tolerations,
          priorityClassName: peoples.priorityClassName,
          nodeSelector: expect.objectContaining(peoples.nodeSelector),
          containers: [
            {
              image: expect.stringMatching(/^quay\.io\/tigera\/operator:v1\.40\./),
              env: expect.arrayContaining(peoples.containers.flatMap((one) => one.env)),
              resources: { requests: { cpu: '50m' } },
            },
          ],
        },
      },
    },
  });

  expect(await ownersOfVersions()).toEqual(['signalbox']);
  expect(await kube.get(goldmane)).not.toBeNull();
  expect(JSON.stringify(await kube.get(agents))).toContain(names.flowLogsServerEnv);

  const undo = () => startSignalbox(workplace, ['undo', '--yes', '-o', 'json'], env);
  const back = undo();
  wire.cutAfter(toOperator, () => back.signal('SIGKILL'));
  await killed(back, 'operator.apply');
  const whole = undo();
  expect(await whole.ended).toMatchObject({ code: 0, err: expect.stringContaining('was undone') });
  expect(nodeVersions(whole)).toEqual(['v3.30.7', 'v3.30.7', 'v3.30.7', 'v3.30.7']);
  await eventually('Calico to stand still', () => isSettled(plane));
  await comesBackTo(before, () => contentsOf(kube));
  expect(unexpectedDials(plane.egressLog())).toEqual([]);
});

test('3.30.4 with eBPF and VXLAN goes by 3.30.7 to 3.31.4 and back, killed in each release: every node runs the one between, and every object comes back', async () => {
  const { kube, plane } = cluster;
  const workplace = { ...cluster.workplace, kubeconfig: wire.kubeconfig };
  const env = { SIGNALBOX_CALICO_DIR: process.env.SIGNALBOX_CALICO_DIR };
  await kube.patch(
    { resource: resources.installations, name: names.installation },
    { type: 'merge', body: { spec: { calicoNetwork: { linuxDataplane: 'BPF' } } } },
  );
  // Played from the files of v3.30.7, which has the same kinds.
  const live = JSON.stringify((await kube.get(operator))?.spec).replaceAll('v1.38.13', 'v1.38.7');
  await kube.patch(operator, { type: 'merge', body: { spec: JSON.parse(live) } });
  await eventually('3.30.4 to run', () => installed('v3.30.4'));
  await eventually('Calico to stand still', () => isSettled(plane));
  const before = await contentsOf(kube);

  const accepted = ['platform.kubernetes-version', 'upgrade.field-conflicts', 'not-measured'];
  const planned = await mustSignalbox(
    workplace,
    [
      ...['plan', '--goal', 'upgrade', '--release', 'v3.31.4', '--out', 'hop.json'],
      ...accepted.flatMap((id) => ['--acknowledge', `${id}=tried in a test`]),
    ],
    env,
  );
  expect(planned.out).toContain('Ready to apply.');
  const apply = () => startSignalbox(workplace, ['apply', 'hop.json', '--yes', '-o', 'json'], env);
  const first = apply();
  wire.cutAfter(toOperator, () => first.signal('SIGKILL'));
  await killed(first, 'operator.apply');
  const second = apply();
  await eventually('the release between', () => installed('v3.30.7'), { everyMs: 50 });
  wire.cutBefore(toOperator, () => second.signal('SIGKILL'));
  await killed(second, 'operator.apply');
  const last = apply();
  expect(await last.ended).toMatchObject({ code: 0, err: expect.stringContaining('is done') });
  expect(nodeVersions(second)).toEqual(['v3.30.7', 'v3.30.7', 'v3.30.7', 'v3.30.7']);
  expect(nodeVersions(last)).toEqual(['v3.31.4', 'v3.31.4', 'v3.31.4', 'v3.31.4']);

  const undo = () => startSignalbox(workplace, ['undo', '--yes', '-o', 'json'], env);
  const back = undo();
  await eventually('the release between, on the way back', () => installed('v3.30.7'), { everyMs: 50 });
  back.signal('SIGKILL');
  expect((await back.ended).code).toBeNull();
  expect(await undo().ended).toMatchObject({ code: 0, err: expect.stringContaining('was undone') });
  expect(await installed('v3.30.4')).toBe(true);
  await eventually('Calico to stand still', () => isSettled(plane));
  await comesBackTo(before, () => contentsOf(kube));
  expect(unexpectedDials(plane.egressLog())).toEqual([]);
}, 600_000);

/** The owners of the field `versions` of that CRD. */
async function ownersOfVersions(): Promise<(string | undefined)[]> {
  const entries = (await cluster.kube.get(kept))?.metadata.managedFields ?? [];
  return entries
    .filter(({ fieldsV1 }) => JSON.stringify(fieldsV1).includes('f:versions'))
    .map(({ manager }) => manager);
}

/** What the operator says that every node runs. */
async function installed(version: string): Promise<boolean> {
  const status = (await cluster.kube.get({ resource: resources.installations, name: names.installation }))?.status;
  return Object(status).calicoVersion === version;
}

/** The process is gone by our signal, in the middle of this operation. */
async function killed(process: Running, operation: string): Promise<void> {
  const { code, err } = await process.ended;
  expect({ code, err }).toMatchObject({ code: null });
  expect(await openOperations(cluster.kube)).toEqual([operation]);
}
