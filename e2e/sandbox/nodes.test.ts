import { afterEach, describe, expect, test } from 'vitest';
import { expectSameCluster } from '#e2e/journey/index.ts';
import { KubeError, type KubeObject } from '#lib/kube/index.ts';
import { continueRun, readRun, startRun } from '#lib/run/index.ts';
import { journalNamespaces, resources } from '#lib/spec/index.ts';
import { openStage, type Stage, someNodes } from './testing/stage.ts';
import { startedRun } from './testing/started-run.ts';

let stage: Stage;
let before: KubeObject[];
afterEach(() => stage.close());

async function undoIsExact(run: string): Promise<void> {
  expect(startedRun(await continueRun(stage.process(), run, { how: 'undo' })).outcome).toEqual({ kind: 'undone' });
  await stage.pass(120);
  expectSameCluster(before, await stage.contents());
}

describe('a wrong endpoint address', () => {
  test('stops at the first node, which is named; at most one node is affected, and undo brings it back', async () => {
    stage = await openStage({ nodes: 4 });
    before = await stage.contents();
    const plan = await stage.plan({ endpoint: { host: '10.0.0.99', port: '6443' } });
    let mostUnready = 0;
    stage.store.onChange(({ object }) => {
      if (object.kind !== 'DaemonSet' || object.metadata.name !== 'calico-node') return;
      const { numberUnavailable = 0 } = object.status as { numberUnavailable?: number };
      mostUnready = Math.max(mostUnready, numberUnavailable);
    });
    const process = stage.process();
    const { run, outcome } = startedRun(await startRun(process, plan));
    expect(outcome).toMatchObject({ kind: 'paused', code: 'pod.crashes', choices: ['undo', 'keep-waiting', 'stop'] });
    const { journal } = await readRun(stage.ours, journalNamespaces, run);
    if (journal.state.kind !== 'paused') throw new Error('the run is not paused');
    const nodes = journal.state.subjects.filter(({ kind }) => kind === 'Node');
    expect(nodes).toHaveLength(1);
    expect(nodes[0]?.detail).toMatch(/calico-system\/calico-node-\w+ container/);
    expect(mostUnready).toBe(1);
    // The run did not begin any step after the wait.
    expect(new Set(stage.log.changes.map(({ object }) => object))).toEqual(
      new Set(['tigera-operator/ConfigMap/kubernetes-services-endpoint']),
    );
    await undoIsExact(run);
  });

  test('pauses once its first agent has crashed for a minute; whoever keeps waiting has until the deadline', async () => {
    stage = await openStage({ nodes: 4 });
    const plan = await stage.plan({ endpoint: { host: '10.0.0.99', port: '6443' } });
    const began = stage.clock.now();
    const { run, outcome } = startedRun(await startRun(stage.process(), plan));
    expect(outcome).toMatchObject({ because: expect.stringMatching(/install-cni: CrashLoopBackOff.*attempts/) });
    expect((stage.clock.now() - began) / 1000).toBeLessThan(120);
    const deadline = plan.operations.find(({ id }) => id === 'endpoint.active')?.deadlineSeconds ?? 0;
    const resumed = stage.clock.now();
    const again = startedRun(await continueRun(stage.process(), run, { how: 'resume' }));
    expect(again.outcome).toMatchObject({ kind: 'paused', code: 'deadline' });
    expect((stage.clock.now() - resumed) / 1000).toBeGreaterThanOrEqual(deadline);
  });

  test('is told long before the deadline: the node that holds it up is on the stream', async () => {
    stage = await openStage({ nodes: 4 });
    const process = stage.process();
    const ended = startRun(process, await stage.plan({ endpoint: { host: '10.0.0.99', port: '6443' } }));
    const began = stage.clock.now();
    await stage.until('a node with a name', () =>
      process.events.some(
        ({ event, data }) => event === 'operation' && data.heldUpBy.some(({ kind }) => kind === 'Node'),
      ),
    );
    expect((stage.clock.now() - began) / 1000).toBeLessThan(30);
    process.control.ask('undo');
    expect(startedRun(await ended).outcome).toEqual({ kind: 'undone' });
  });
});

describe('a node whose agent refuses eBPF', () => {
  const old = { kernel: '4.15.0-213-generic', osImage: 'Ubuntu 18.04.6 LTS' };

  test('is a failure that names node and kernel at once, and its undo is exact', async () => {
    stage = await openStage({ nodes: 3, shape: { nodes: someNodes(3, { 'worker-2': old }) } });
    before = await stage.contents();
    const plan = await stage.plan();
    expect(plan.findings.verdict).toBe('blocked');
    const began = stage.clock.now();
    const { run, outcome } = startedRun(await startRun(stage.process(), plan));
    expect(outcome).toMatchObject({
      kind: 'paused',
      code: 'node.refuses-bpf',
      choices: ['undo', 'keep-waiting', 'stop'],
    });
    expect((stage.clock.now() - began) / 1000).toBeLessThan(60);
    const { journal } = await readRun(stage.ours, journalNamespaces, run);
    expect(journal.state).toMatchObject({
      subjects: [{ kind: 'Node', name: 'worker-2', detail: expect.stringContaining('4.15.0-213-generic') }],
    });
    // The service proxy still runs, so that the node has Services.
    const proxy = { resource: resources.daemonSets, namespace: 'kube-system', name: 'kube-proxy' };
    expect((await stage.store.get(proxy))?.status).toMatchObject({ desiredNumberScheduled: 3 });
    await undoIsExact(run);
  });
});

describe('a node that is not ready', () => {
  test('holds the run up by name; once it is ready the run goes on', async () => {
    stage = await openStage({ nodes: 3, shape: { nodes: someNodes(3, { 'worker-1': { readiness: 'lost' } }) } });
    const plan = await stage.plan();
    const { run, outcome } = startedRun(await startRun(stage.process(), plan));
    expect(outcome).toMatchObject({ kind: 'paused', code: 'deadline' });
    const { journal } = await readRun(stage.ours, journalNamespaces, run);
    expect(journal.state).toMatchObject({ subjects: [{ kind: 'Node', name: 'worker-1' }] });

    const ref = { resource: resources.nodes, name: 'worker-1' };
    const node = await stage.store.get(ref);
    const { conditions = [] } = (node?.status ?? {}) as { conditions?: { type: string; status: string }[] };
    const ready = conditions.map((one) => (one.type === 'Ready' ? { ...one, status: 'True' } : one));
    await stage.store.patch(ref, { type: 'merge', body: { status: { conditions: ready } } }, { subresource: 'status' });
    await stage.store.patch(ref, { type: 'merge', body: { spec: { taints: [] } } });
    expect(startedRun(await continueRun(stage.process(), run, { how: 'resume' })).outcome).toEqual({ kind: 'done' });
  });
});

/** The cluster for a user with all permissions except those for these resources. */
function without(...resourcesWithout: string[]) {
  const kube = stage.ours;
  const refuse = (resource: string) => {
    if (resourcesWithout.includes(resource))
      throw new KubeError('forbidden', `pods is forbidden: User "signalbox" cannot use ${resource}`, { status: 403 });
  };
  return {
    ...kube,
    logs: async (...args: Parameters<typeof kube.logs>) => {
      refuse('pods/log');
      return kube.logs(...args);
    },
    exec: async (...args: Parameters<typeof kube.exec>) => {
      if (args[1][0] === 'calico-node') refuse('pods/exec');
      return kube.exec(...args);
    },
  };
}

describe('what proves nothing is unknown, and can be acknowledged', () => {
  test('agents that log above Info', async () => {
    stage = await openStage({
      nodes: 2,
      objects: (objects) => objects.map((one) => (one.kind === 'FelixConfiguration' ? severe(one) : one)),
    });
    before = await stage.contents();
    const kube = without('pods/exec');
    const { run, outcome } = startedRun(await startRun(stage.process({ kube }), await stage.plan()));
    expect(outcome).toMatchObject({
      kind: 'paused',
      code: 'unknown',
      because: expect.stringContaining('logs at severity Warning, above Info'),
      choices: ['acknowledge', 'keep-waiting', 'undo', 'stop'],
    });
    // No node counts as being on eBPF, so the proxy still runs.
    expect(stage.log.changes.some(({ object }) => object.includes('kube-proxy'))).toBe(false);
    // Each step that depends on the doubt needs it accepted again.
    let last = outcome;
    for (let times = 0; times < 2 && last.kind === 'paused'; times++) {
      const { state } = (await readRun(stage.ours, journalNamespaces, run)).journal;
      if (state.kind !== 'paused') throw new Error('the run is not paused');
      const acknowledge = { [state.id]: 'checked by hand on both nodes' };
      last = startedRun(await continueRun(stage.process({ kube }), run, { how: 'resume', acknowledge })).outcome;
    }
    expect(last).toEqual({ kind: 'done' });
    const { journal } = await readRun(stage.ours, journalNamespaces, run);
    expect(journal.entries).toContainEqual(
      expect.objectContaining({
        what: 'finished',
        outcome: 'acknowledged',
        note: expect.stringContaining('checked by hand'),
      }),
    );
  });

  test('agents that log above Info, where their service maps can be seen: those prove it', async () => {
    stage = await openStage({
      nodes: 2,
      objects: (objects) => objects.map((one) => (one.kind === 'FelixConfiguration' ? severe(one) : one)),
    });
    expect(startedRun(await startRun(stage.process(), await stage.plan())).outcome).toEqual({ kind: 'done' });
  });

  test('logs that may not be read: the missing permission is named', async () => {
    stage = await openStage({ nodes: 2 });
    const kube = without('pods/log', 'pods/exec');
    const { outcome } = startedRun(await startRun(stage.process({ kube }), await stage.plan()));
    expect(outcome).toMatchObject({
      kind: 'paused',
      code: 'unknown',
      because: expect.stringContaining('cannot use pods/log'),
    });
    expect(outcome).toMatchObject({ because: expect.stringContaining('worker-1') });
  });

  test('logs that were rotated since the switch: silence is no answer', async () => {
    stage = await openStage({ nodes: 2 });
    const kube = {
      ...without('pods/exec'),
      // The kubelet has rotated the log, so that the deciding line is missing.
      logs: async () =>
        `${stamp(stage.clock.now())} [INFO][71] felix/summary.go 100: Summarising 8 dataplane reconciliation loops`,
    };
    const { outcome } = startedRun(await startRun(stage.process({ kube }), await stage.plan()));
    expect(outcome).toMatchObject({ kind: 'paused', code: 'unknown', because: expect.stringContaining('(rotated)') });
  });
});

function severe(felix: KubeObject): KubeObject {
  return { ...felix, spec: { ...(felix.spec as Record<string, unknown>), logSeverityScreen: 'Warning' } };
}

function stamp(ms: number): string {
  return new Date(ms).toISOString().replace('T', ' ').slice(0, 23);
}
