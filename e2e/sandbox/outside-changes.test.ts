import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { expectSameCluster } from '#e2e/journey/index.ts';
import { type Call, KubeError, type KubeObject } from '#lib/kube/index.ts';
import type { Plan } from '#lib/plan/index.ts';
import { continueRun, type RunResult, readRun, startRun } from '#lib/run/index.ts';
import { journalNamespaces, names, type ObjectRef, resources } from '#lib/spec/index.ts';
import { openStage, type Stage } from './testing/stage.ts';
import { startedRun } from './testing/started-run.ts';

let stage: Stage;
let before: KubeObject[];
let plan: Plan;
beforeEach(async () => {
  stage = await openStage({ nodes: 3 });
  before = await stage.contents();
  plan = await stage.plan();
});
afterEach(() => stage.close());

const installation: ObjectRef = { resource: resources.installations, name: names.installation };
const felix: ObjectRef = { resource: resources.felixConfigurations, name: names.felixConfiguration };
const proxy: ObjectRef = { resource: resources.daemonSets, namespace: 'kube-system', name: 'kube-proxy' };
const endpoint: ObjectRef = {
  resource: resources.configMaps,
  namespace: names.operatorNamespace,
  name: names.endpointConfigMap,
};
const somebody = { fieldManager: 'kubectl-edit' };
const patch = (ref: ObjectRef, body: Record<string, unknown>) =>
  stage.store.patch(ref, { type: 'merge', body }, somebody);

const surprises: { words: string; change(): Promise<unknown>; says: RegExp; kind: string; after: number }[] = [
  {
    words: 'the endpoint ConfigMap was made by somebody else',
    change: () =>
      stage.store.create(
        resources.configMaps,
        {
          apiVersion: 'v1',
          kind: 'ConfigMap',
          metadata: { name: endpoint.name, namespace: endpoint.namespace ?? '' },
          data: { KUBERNETES_SERVICE_HOST: '10.0.0.12', KUBERNETES_SERVICE_PORT: '6443' },
        },
        somebody,
      ),
    says: /metadata\.name was unset when the plan was made and is "kubernetes-services-endpoint" now/,
    kind: 'ConfigMap',
    after: 0,
  },
  {
    words: 'the cleanup flag was set',
    change: () => patch(felix, { spec: { bpfKubeProxyIptablesCleanupEnabled: true } }),
    says: /spec\.bpfKubeProxyIptablesCleanupEnabled was unset when the plan was made and is true now/,
    kind: 'FelixConfiguration',
    after: 2,
  },
  {
    words: 'the data plane was changed',
    change: () => patch(installation, { spec: { calicoNetwork: { linuxDataplane: 'Nftables' } } }),
    says: /spec\.calicoNetwork\.linuxDataplane was "Iptables" when the plan was made and is "Nftables" now/,
    kind: 'Installation',
    after: 3,
  },
  {
    words: 'the service proxy was turned off',
    change: () => patch(proxy, { spec: { template: { spec: { nodeSelector: { 'non-calico': 'true' } } } } }),
    says: /nodeSelector\['non-calico'\] was unset when the plan was made and is "true" now/,
    kind: 'DaemonSet',
    after: 4,
  },
];

test.each(surprises.map((one) => [one.words, one] as const))(
  '%s between plan and apply: the run pauses before that act, shows it, and writes nothing there',
  async (_words, { change, says, kind, after }) => {
    await change();
    const { run, outcome } = startedRun(await startRun(stage.process(), plan));
    expect(outcome).toMatchObject({ kind: 'paused', code: 'object.changed', because: expect.stringMatching(says) });
    expect(outcome).toMatchObject({ choices: ['resume', 'undo', 'stop'] });
    const { journal } = await readRun(stage.ours, journalNamespaces, run);
    expect(journal.state).toMatchObject({ subjects: expect.arrayContaining([expect.objectContaining({ kind })]) });
    expect(stage.log.changes).toHaveLength(after);
  },
);

/** A run that waits in `bpf.active`, because this node's new agent does not become ready. */
async function duringTheSwitch(
  node: string,
): Promise<{ ended: Promise<RunResult>; events: ReturnType<Stage['process']>['events'] }> {
  const process = stage.process();
  process.onEvent = (event) => {
    process.events.push(event);
    if (event.event === 'operation' && event.data.id === 'switch.bpf' && event.data.state === 'begun')
      void stage.hold(node);
  };
  const ended = startRun(process, plan);
  await stage.until('the wait for eBPF', () =>
    process.events.some(
      ({ event, data }) => event === 'operation' && data.id === 'bpf.active' && data.state === 'waiting',
    ),
  );
  return { ended, events: process.events };
}

test('the switch is undone by somebody during bpf.active: a failure with a name, and its undo is exact', async () => {
  const { ended } = await duringTheSwitch('worker-1');
  await patch(installation, { spec: { calicoNetwork: { linuxDataplane: 'Iptables' } } });
  const { run, outcome } = startedRun(await ended);
  expect(outcome).toMatchObject({ kind: 'paused', code: 'switch.reverted', choices: ['undo', 'keep-waiting', 'stop'] });
  await stage.release('worker-1');
  expect(startedRun(await continueRun(stage.process(), run, { how: 'undo' })).outcome).toEqual({ kind: 'undone' });
  await stage.pass(120);
  expectSameCluster(before, await stage.contents());
});

test('a tool that begins to write the Installation during the switch pauses the run by name; resumed, it is not told again', async () => {
  const { ended } = await duringTheSwitch('worker-1');
  await stage.store.patch(
    installation,
    { type: 'merge', body: { metadata: { annotations: { 'argocd.argoproj.io/tracking-id': 'calico' } } } },
    { fieldManager: 'argocd-controller' },
  );
  const { run, outcome } = startedRun(await ended);
  expect(outcome).toMatchObject({
    kind: 'paused',
    code: 'managed-by.reconciler',
    because: expect.stringMatching(/Installation default: Argo CD marks it/),
    choices: ['resume', 'undo', 'stop'],
  });
  await stage.release('worker-1');
  expect(startedRun(await continueRun(stage.process(), run, { how: 'resume' })).outcome).toEqual({ kind: 'done' });
});

test('a mark on an object that this run does not write is nobody’s concern', async () => {
  const { ended } = await duringTheSwitch('worker-1');
  const operator = { resource: resources.deployments, namespace: names.operatorNamespace, name: 'tigera-operator' };
  await patch(operator, { metadata: { annotations: { 'argocd.argoproj.io/tracking-id': 'operator' } } });
  await patch(proxy, { metadata: { labels: { 'kustomize.toolkit.fluxcd.io/name': 'infra' } } });
  await stage.pass(30);
  await patch(proxy, { metadata: { labels: { 'kustomize.toolkit.fluxcd.io/name': null } } });
  await stage.release('worker-1');
  expect(startedRun(await ended).outcome).toEqual({ kind: 'done' });
});

describe('a node that leaves or comes during the wait', () => {
  test('deleted: it no longer holds anything up', async () => {
    const { ended } = await duringTheSwitch('worker-2');
    await stage.store.delete({ resource: resources.nodes, name: 'worker-2' });
    expect(startedRun(await ended).outcome).toEqual({ kind: 'done' });
  });

  test('new: it is shown like the others and moves with them', async () => {
    const { ended, events } = await duringTheSwitch('worker-2');
    await join('worker-9');
    await stage.pass(20);
    await stage.release('worker-2');
    expect(startedRun(await ended).outcome).toEqual({ kind: 'done' });
    expect(events).toContainEqual(
      expect.objectContaining({ event: 'node', data: expect.objectContaining({ name: 'worker-9', state: 'proven' }) }),
    );
  });
});

async function join(name: string): Promise<void> {
  const like = await stage.store.get({ resource: resources.nodes, name: 'worker-1' });
  if (!like) throw new Error('worker-1 is not there');
  const { labels = {}, annotations = {} } = like.metadata;
  await stage.store.create(resources.nodes, {
    ...like,
    metadata: {
      name,
      labels: { ...labels, 'kubernetes.io/hostname': name },
      annotations,
    },
  });
}

test('a deadline that passes pauses with the choices, and whoever resumes waits as long again', async () => {
  const { ended } = await duringTheSwitch('worker-1');
  const { run, outcome } = startedRun(await ended);
  expect(outcome).toMatchObject({ kind: 'paused', code: 'deadline', choices: ['keep-waiting', 'undo', 'stop'] });
  expect(outcome).toMatchObject({ because: expect.stringContaining('calico-node to restart') });
  const { journal } = await readRun(stage.ours, journalNamespaces, run);
  expect(journal.state).toMatchObject({
    subjects: [expect.objectContaining({ kind: 'Node', name: 'worker-1' })],
    meaning: expect.stringContaining('both data planes run side by side'),
  });
  const deadline = plan.operations.find(({ id }) => id === 'bpf.active')?.deadlineSeconds ?? 0;
  expect(deadline).toBeGreaterThanOrEqual(360);

  const began = stage.clock.now();
  const again = startedRun(await continueRun(stage.process(), run, { how: 'resume' }));
  expect(again.outcome).toMatchObject({ kind: 'paused', code: 'deadline' });
  expect((stage.clock.now() - began) / 1000).toBeGreaterThanOrEqual(deadline);

  await stage.release('worker-1');
  expect(startedRun(await continueRun(stage.process(), run, { how: 'resume' })).outcome).toEqual({ kind: 'done' });
  expect(stage.log.changes).toHaveLength(6);
});

const isProxyPatch = (call: Call) =>
  call.user === 'signalbox' && call.verb === 'patch' && call.resource === 'daemonsets' && call.name === 'kube-proxy';

/** Deletes the agent of worker-1; its replacement does not become ready. */
async function loseTheAgent(): Promise<void> {
  await stage.hold('worker-1');
  for await (const { items } of stage.store.list(resources.pods, { labelSelector: 'k8s-app=calico-node' }))
    for (const { metadata, spec } of items)
      if ((spec as { nodeName?: string }).nodeName === 'worker-1')
        await stage.store.delete({
          resource: resources.pods,
          namespace: metadata.namespace ?? '',
          name: metadata.name ?? '',
        });
}

async function proxyIsAskedToStay(): Promise<boolean> {
  return !JSON.stringify((await stage.store.get(proxy))?.spec).includes('non-calico');
}

describe('between the proof that every node is on eBPF and the write that turns the proxy off', () => {
  test('the process ends and a node loses its agent: whoever carries on proves again first', async () => {
    const process = stage.process();
    const stop = stage.store.intercept(async (call, proceed) => {
      if (!isProxyPatch(call)) return proceed();
      process.end();
      throw new KubeError('unreachable', 'read ECONNRESET');
    });
    const { run, outcome } = startedRun(await startRun(process, plan));
    expect(outcome).toEqual({ kind: 'interrupted' });
    stop();
    await loseTheAgent();
    const ended = continueRun(stage.process(), run, { how: 'resume' });
    await stage.pass(90);
    expect(await proxyIsAskedToStay()).toBe(true);
    await stage.release('worker-1');
    expect(startedRun(await ended).outcome).toEqual({ kind: 'done' });
    expect(await proxyIsAskedToStay()).toBe(false);
  });

  test('the API server is away and a node loses its agent: it is proven again when it answers', async () => {
    let backAt: number | null = null;
    stage.store.intercept(async (call, proceed) => {
      if (isProxyPatch(call)) {
        backAt ??= stage.clock.now() + 60_000;
        if (stage.clock.now() < backAt) throw new KubeError('unreachable', 'read ECONNRESET');
      }
      await proceed();
    });
    const ended = startRun(stage.process(), plan);
    await stage.until('the write to fail', () => backAt !== null);
    await loseTheAgent();
    await stage.pass(120);
    expect(await proxyIsAskedToStay()).toBe(true);
    await stage.release('worker-1');
    expect(startedRun(await ended).outcome).toEqual({ kind: 'done' });
  });
});
