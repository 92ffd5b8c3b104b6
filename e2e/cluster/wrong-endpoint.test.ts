import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { holdMark, kubeletMark, nowhere, unexpectedDials } from '#e2e/controlplane/index.ts';
import type { KubeObject } from '#lib/kube/index.ts';
import type { RunEvent } from '#lib/run/index.ts';
import { type CalicoCluster, isSettled, startCalicoCluster } from './testing/calico-cluster.ts';
import { comesBackTo } from './testing/comes-back.ts';
import { contentsOf } from './testing/contents.ts';
import { eventually } from './testing/eventually.ts';
import { holdNode } from './testing/hold-node.ts';
import { readyAnswers } from './testing/ready-answers.ts';
import { mustSignalbox, type Running, startSignalbox } from './testing/signalbox-process.ts';

/** Causes that stop a run before the switch: each time it names the cause and offers an undo, which restores the state before the run. */
let cluster: CalicoCluster;
let before: readonly KubeObject[];

beforeAll(async () => {
  cluster = await startCalicoCluster({ nodes: 3 });
  // Once: after an undo the operator restarts, and says for a while that it knows of nothing wrong.
  before = await contentsOf(cluster.kube);
});

afterEach(async () => {
  await eventually('Calico to stand still', () => isSettled(cluster.plane));
  await comesBackTo(before, () => contentsOf(cluster.kube));
  expect(await dataplane()).toBe('Iptables');
});

afterAll(async () => {
  await cluster?.stop();
});

test('an address at which nobody answers stops at the first node, which is named, and undo brings it back', async () => {
  const apply = startSignalbox(cluster.workplace, ['apply', ...readyAnswers(`${nowhere}:6443`), '--yes', '-o', 'json']);
  const { node } = await heldUp(apply);
  expect(['control-1', 'worker-1', 'worker-2']).toContain(node);
  expect(await podsWith(nowhere)).toEqual([node]);

  const undo = await mustSignalbox(cluster.workplace, ['undo', '--yes']);
  expect(undo.err).toContain('undoes it');
  expect(await apply.ended).toMatchObject({ code: 4, err: expect.stringContaining('was undone') });
});

test('a node that becomes NotReady in the middle is named, and the run goes on when it is back', async () => {
  await holdNode(cluster.plane, 'worker-2');
  const apply = startSignalbox(cluster.workplace, ['apply', ...readyAnswers(), '--yes', '-o', 'json']);
  await apply.event('worker-2 to hold it up', (event) => namesOf(event).includes('worker-2'));
  await annotate('worker-2', { [holdMark]: null, [kubeletMark]: 'stopped' });
  await eventually('worker-2 to be NotReady', async () => (await readiness('worker-2')) === 'Unknown');
  const eventsBefore = apply.events().length;
  await mustSignalbox(cluster.workplace, ['pause']);
  expect(await apply.ended).toMatchObject({ code: 4, err: expect.stringContaining('is paused') });
  expect(apply.events().length).toBeGreaterThan(eventsBefore);

  const resume = startSignalbox(cluster.workplace, ['resume', '-o', 'json']);
  await resume.event('worker-2 to hold it up still', (event) => namesOf(event).includes('worker-2'));
  await annotate('worker-2', { [kubeletMark]: null });
  await resume.event('the switch', (event) => isOperation(event, 'felix.cleanup-flag', 'begun'));
  // A signal comes in time: the command that would ask for it takes as long to start as the rest of the run.
  resume.signal('SIGTERM');
  await resume.ended;
  await mustSignalbox(cluster.workplace, ['undo', '--yes']);
});

test('an object that somebody changed between plan and act pauses the run before its act, with the difference', async () => {
  const felix = '/apis/crd.projectcalico.org/v1/felixconfigurations/default';
  await mustSignalbox(cluster.workplace, ['plan', ...readyAnswers(), '--out', 'plan.json', '-q']);

  const apply = startSignalbox(cluster.workplace, ['apply', 'plan.json', '--yes', '-o', 'json']);
  await apply.event('the first step', (event) => isOperation(event, 'operator.dns', 'begun'));
  await cluster.plane.api.patch(felix, { spec: { bpfKubeProxyIptablesCleanupEnabled: true } });
  const { code, err } = await apply.ended;
  expect(code).toBe(4);
  expect(err).toContain('is paused');
  const problem = apply.events().find(({ event }) => event === 'problem');
  expect(problem?.data).toMatchObject({
    subjects: [
      {
        kind: 'FelixConfiguration',
        name: 'default',
        detail: expect.stringMatching(/unset when the plan was made and is true now/),
      },
    ],
    choices: expect.arrayContaining(['undo']),
  });
  expect(await cluster.plane.api.get(felix)).toMatchObject({ spec: { bpfKubeProxyIptablesCleanupEnabled: true } });
  await cluster.plane.api.patch(felix, { spec: { bpfKubeProxyIptablesCleanupEnabled: null } });
  await mustSignalbox(cluster.workplace, ['undo', '--yes']);
});

test('a run that is stopped leaves its cleanup flag, which is known as its own by its journal and by who wrote the field', async () => {
  const apply = startSignalbox(cluster.workplace, ['apply', ...readyAnswers(), '--yes', '-o', 'json']);
  await apply.event('the flag', (event) => isOperation(event, 'felix.cleanup-flag', 'finished'));
  apply.signal('SIGTERM');
  await apply.ended;
  await mustSignalbox(cluster.workplace, ['stop']);
  const run = apply.events()[0]?.run;

  const { out } = await mustSignalbox(cluster.workplace, ['inspect', '-o', 'json']);
  const { resources } = JSON.parse(out) as { resources: { leftBehind: unknown } };
  expect(resources.leftBehind).toEqual([
    expect.objectContaining({
      object: 'FelixConfiguration/default',
      path: ['spec', 'bpfKubeProxyIptablesCleanupEnabled'],
      value: false,
      before: null,
      run,
      evidence: expect.arrayContaining([
        expect.objectContaining({ value: expect.stringMatching(/^signalbox, \d{4}-/) }),
        expect.objectContaining({ object: `signalbox/ConfigMap/signalbox-run-${run}` }),
      ]),
    }),
  ]);
  await mustSignalbox(cluster.workplace, ['undo', '--yes']);
});

test('nothing tried to leave the plane', () => {
  expect(unexpectedDials(cluster.plane.egressLog())).toEqual([]);
});

/** The event in which the rollout with the new address stands still at one node. */
async function heldUp(apply: Running): Promise<{ node: string }> {
  const event = await apply.event(
    'one node to hold the rollout up',
    (each) =>
      isOperation(each, 'endpoint.active', 'waiting') &&
      /1 of 3 has restarted/.test(JSON.stringify(each.data)) &&
      namesOf(each).length === 1,
  );
  return { node: namesOf(event)[0] ?? '' };
}

function isOperation({ event, data }: RunEvent, id: string, state: string): boolean {
  return event === 'operation' && data.id === id && data.state === state;
}

function namesOf(each: RunEvent): string[] {
  return each.event === 'operation' ? each.data.heldUpBy.map(({ name }) => name) : [];
}

/** Nodes whose agent was given this address. */
async function podsWith(host: string): Promise<string[]> {
  const pods = await cluster.plane.api.list(
    '/api/v1/namespaces/calico-system/pods?labelSelector=k8s-app%3Dcalico-node',
  );
  return pods
    .filter(({ spec }) => JSON.stringify(spec).includes(`"value":"${host}"`))
    .map(({ spec }) => (spec as { nodeName: string }).nodeName);
}

async function annotate(name: string, annotations: Readonly<Record<string, string | null>>): Promise<void> {
  await cluster.plane.api.patch(`/api/v1/nodes/${name}`, { metadata: { annotations } });
}

async function readiness(name: string): Promise<string | undefined> {
  const { status } = await cluster.plane.api.get(`/api/v1/nodes/${name}`);
  return (status as { conditions: { type: string; status: string }[] }).conditions.find(({ type }) => type === 'Ready')
    ?.status;
}

async function dataplane(): Promise<unknown> {
  const { spec } = await cluster.plane.api.get('/apis/operator.tigera.io/v1/installations/default');
  return (spec as { calicoNetwork: { linuxDataplane: string } }).calicoNetwork.linuxDataplane;
}
