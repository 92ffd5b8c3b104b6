import { afterEach, describe, expect, test } from 'vitest';
import type { Kube } from '#lib/kube/index.ts';
import { continueRun, forgetRun, leaseRef, listRuns, type RunContext, readLease, startRun } from '#lib/run/index.ts';
import { journalNamespaces, names, resources } from '#lib/spec/index.ts';
import { openStage, type Stage } from './testing/stage.ts';
import { startedRun } from './testing/started-run.ts';

/** The namespaces of journals and Leases: one of their own, and kube-system for those of earlier versions. */
let stage: Stage;
afterEach(() => stage.close());

const own = { resource: resources.namespaces, name: names.journalNamespace };
const marked = { [names.managedByLabel]: names.fieldManager };

/** The context of a process of an earlier version. */
const asBefore = (context: ReturnType<Stage['process']>) => ({
  ...context,
  journalNamespaces: [names.systemNamespace] as const,
});
const found = async () =>
  (await listRuns(stage.ours, journalNamespaces)).map(({ namespace, state }) => [namespace, state.kind]);
const refusedBy = async (what: Promise<object>) =>
  'refused' in (await what) ? ((await what) as { refused: unknown }).refused : null;

async function makeNamespace(labels: Record<string, string>): Promise<void> {
  await stage.store.create(own.resource, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: own.name, labels } });
}

describe('the first run', () => {
  test('makes the namespace and marks it as ours; journal and Lease lie there and nowhere else', async () => {
    stage = await openStage({ nodes: 1 });
    const { run } = startedRun(await startRun(stage.process(), await stage.plan()));
    expect((await stage.store.get(own))?.metadata.labels).toMatchObject(marked);
    expect(await found()).toEqual([[names.journalNamespace, 'done']]);
    expect(await stage.store.get(leaseRef(names.systemNamespace))).toBeNull();
    await stage.pass(30);
    expect(startedRun(await continueRun(stage.process(), run, { how: 'undo' })).outcome).toEqual({ kind: 'undone' });
    expect(await listRuns(stage.ours, [names.systemNamespace])).toEqual([]);
  });

  test('takes a namespace that is marked already, and refuses one that is not, writing nothing', async () => {
    stage = await openStage({ nodes: 1 });
    const plan = await stage.plan();
    await makeNamespace({});
    await expect(startRun(stage.process(), plan)).rejects.toThrow(
      /is not Signalbox's: it has no label .*kubectl label/,
    );
    expect(stage.log.changes).toEqual([]);
    expect(await stage.store.get(leaseRef(own.name))).toBeNull();
    await stage.store.patch(own, { type: 'merge', body: { metadata: { labels: marked } } });
    expect(startedRun(await startRun(stage.process(), plan)).outcome).toEqual({ kind: 'done' });
  });

  test('of somebody who may not make namespaces is refused with the rule and the way out', async () => {
    stage = await openStage({ nodes: 1 });
    const plan = await stage.plan();
    const rules = [{ verbs: ['get', 'list', 'watch'], groups: ['*'], resources: ['*'] }];
    const kube = stage.store.as({ name: 'signalbox', rules });
    await expect(startRun(stage.process({ kube }), plan)).rejects.toMatchObject({
      code: 'forbidden',
      message: expect.stringMatching(
        /create namespaces.*kubectl create namespace signalbox.*--journal-namespace kube-system/,
      ),
    });
  });
});

describe('a run that an earlier version left in kube-system', () => {
  async function left(): Promise<string> {
    stage = await openStage({ nodes: 1 });
    const process = asBefore(stage.process({ to: 'die' }));
    process.onEvent = ({ event, data }) => {
      if (event === 'operation' && data.id === 'endpoint.active' && data.state === 'finished')
        process.control.ask('pause');
    };
    return startedRun(await startRun(process, await stage.plan())).run;
  }

  test('is found, keeps a new one from starting, and is carried on and undone there, under the Lease there', async () => {
    const run = await left();
    expect(await found()).toEqual([[names.systemNamespace, 'paused']]);
    expect(await refusedBy(startRun(stage.process(), await stage.plan()))).toMatchObject({ kind: 'unfinished', run });
    const before = readLease((await stage.store.get(leaseRef(names.systemNamespace))) ?? nothing).transitions;
    expect(startedRun(await continueRun(stage.process(), run, { how: 'resume' })).outcome).toEqual({ kind: 'done' });
    const after = readLease((await stage.store.get(leaseRef(names.systemNamespace))) ?? nothing).transitions;
    expect(after).toBe(before + 1);
    await stage.pass(30);
    expect(startedRun(await continueRun(stage.process(), run, { how: 'undo' })).outcome).toEqual({ kind: 'undone' });
    expect(await found()).toEqual([[names.systemNamespace, 'undone']]);
  });

  test('while its process lives, nobody begins another beside it', async () => {
    stage = await openStage({ nodes: 1 });
    const plan = await stage.plan();
    const [node = ''] = await stage.nodeNames();
    await stage.hold(node);
    const process = asBefore(stage.process());
    const under = startRun(process, plan);
    await stage.until('its Lease', async () => (await stage.store.get(leaseRef(names.systemNamespace))) !== null);
    // Without a readable journal only the Lease shows that a process carries a run.
    for (const { run } of await listRuns(stage.store, [names.systemNamespace]))
      await stage.store.patch(
        { resource: resources.configMaps, namespace: names.systemNamespace, name: `signalbox-run-${run}` },
        { type: 'merge', body: { metadata: { labels: { [names.runLabel]: null } } } },
      );
    expect(await refusedBy(startRun(stage.process({ install: 'another' }), plan))).toMatchObject({
      kind: 'held',
      holder: expect.stringContaining(process.identity.process),
    });
    await stage.release(node);
    await under;
  });
});

const nothing = { apiVersion: 'v1', kind: 'Lease', metadata: {} };

describe('whoever forges journals in kube-system', () => {
  test('neither hides a run that is under way, nor keeps it from going on or from being undone', async () => {
    stage = await openStage({ nodes: 1 });
    const process = stage.process();
    process.onEvent = ({ event, data }) => {
      if (event === 'operation' && data.id === 'endpoint.active' && data.state === 'finished')
        process.control.ask('pause');
    };
    const { run } = startedRun(await startRun(process, await stage.plan()));
    const journal =
      (await stage.store.get({ resource: resources.configMaps, namespace: own.name, name: `signalbox-run-${run}` })) ??
      nothing;
    for (const name of [run, '20991231-2359-ffff'])
      await stage.store.create(resources.configMaps, {
        ...journal,
        metadata: {
          name: `signalbox-run-${name}`,
          namespace: names.systemNamespace,
          labels: { [names.runLabel]: name },
        },
      });
    const found = await listRuns(stage.ours, journalNamespaces);
    expect(found.filter((one) => one.run === run)).toMatchObject([{ namespace: names.journalNamespace }]);
    expect(startedRun(await continueRun(stage.process(), run, { how: 'resume' })).outcome).toEqual({ kind: 'done' });
    await stage.pass(30);
    expect(startedRun(await continueRun(stage.process(), run, { how: 'undo' })).outcome).toEqual({ kind: 'undone' });
  });
});

describe('a run is forgotten', () => {
  const ended = async (change: (context: ReturnType<Stage['process']>) => RunContext = (context) => context) => {
    stage ??= await openStage({ nodes: 1 });
    return startedRun(await startRun(change(stage.process()), await stage.plan())).run;
  };

  test('with the last one Lease and namespace go', async () => {
    stage = await openStage({ nodes: 1 });
    const run = await ended();
    const process = stage.process();
    expect(await forgetRun(process, run)).toEqual({ run, namespace: own.name, wasLast: true, kept: null });
    await stage.store.settled();
    expect(await stage.store.get(own)).toBeNull();
    expect(await process.memory.recall(run)).toBeNull();
    expect(await forgetRun(process, run)).toEqual({ refused: { kind: 'no-such-run' } });
  });

  test('but not before it has ended', async () => {
    stage = await openStage({ nodes: 1 });
    const process = stage.process();
    process.onEvent = ({ event, data }) => {
      if (event === 'operation' && data.state === 'finished') process.control.ask('pause');
    };
    const { run } = startedRun(await startRun(process, await stage.plan()));
    expect(await forgetRun(stage.process(), run, async () => expect.unreachable())).toEqual({
      refused: { kind: 'not-ended', state: 'paused' },
    });
    expect(await found()).toEqual([[own.name, 'paused']]);
  });

  test('and is asked about only where it can be, without a list of all runs', async () => {
    stage = await openStage({ nodes: 1 });
    const run = await ended();
    const process = stage.process();
    const asked: string[] = [];
    const lists: string[] = [];
    const kube: Kube = {
      ...process.kube,
      list: (resource, options) => {
        lists.push(resource.plural);
        return process.kube.list(resource, options);
      },
    };
    const confirm = async () => {
      asked.push(run);
      throw new Error('no');
    };
    expect(await forgetRun({ ...process, kube }, 'nope', confirm)).toEqual({ refused: { kind: 'no-such-run' } });
    expect(asked).toEqual([]);
    await expect(forgetRun({ ...process, kube }, run, confirm)).rejects.toThrow('no');
    expect({ asked, lists }).toEqual({ asked: [run], lists: [] });
    expect(await found()).toEqual([[own.name, 'done']]);
  });

  test('where somebody keeps something in the namespace, it stays, and the answer says what', async () => {
    stage = await openStage({ nodes: 1 });
    const run = await ended();
    await stage.store.create(resources.roles, {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'Role',
      metadata: { name: 'signalbox-enable-write', namespace: own.name },
    });
    expect(await forgetRun(stage.process(), run)).toMatchObject({
      wasLast: true,
      kept: expect.stringContaining('Role signalbox-enable-write is in it'),
    });
    expect(await stage.store.get(own)).not.toBeNull();
    expect(await stage.store.get(leaseRef(own.name))).toBeNull();
  });

  test('of an earlier version, in kube-system, which stays', async () => {
    stage = await openStage({ nodes: 1 });
    const run = await ended(asBefore);
    expect(await forgetRun(stage.process(), run)).toEqual({ run, namespace: 'kube-system', wasLast: true, kept: null });
    expect(await stage.store.get({ resource: resources.namespaces, name: names.systemNamespace })).not.toBeNull();
    expect(await stage.store.get(leaseRef(names.systemNamespace))).toBeNull();
  });
});
