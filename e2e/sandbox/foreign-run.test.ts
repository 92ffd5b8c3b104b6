import { gunzipSync, gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { lookedThrough } from '#e2e/journey/index.ts';
import type { KubeObject } from '#lib/kube/index.ts';
import { type Plan, planHash } from '#lib/plan/index.ts';
import {
  continueRun,
  type Journal,
  journalRef,
  listRuns,
  listRunsToShow,
  type RunContext,
  readRun,
  readRunWithProvenance,
  startRun,
} from '#lib/run/index.ts';
import { journalNamespaces, names, resources } from '#lib/spec/index.ts';
import { lookThroughForeignRun } from '#lib/usecases/index.ts';
import { openStage, type Stage } from './testing/stage.ts';
import { startedRun } from './testing/started-run.ts';

/** Attacks by an account that may write ConfigMaps in the journal namespace, on the installation that owns the runs: a foreign journal is evidence, not an order. */
let stage: Stage;
let plan: Plan;
let run: string;
let ours: RunContext;
beforeEach(async () => {
  stage = await openStage({ nodes: 2 });
  plan = await stage.plan();
  const process = stage.process();
  process.onEvent = ({ event, data }) => {
    if (event === 'operation' && data.id === 'endpoint.active' && data.state === 'finished')
      process.control.ask('pause');
  };
  run = startedRun(await startRun(process, plan)).run;
  ours = stage.process();
});
afterEach(() => stage.close());

const namespace = names.journalNamespace;
const provenance = async (context = ours) =>
  (await readRunWithProvenance(stage.ours, journalNamespaces, run, context.memory)).provenance;
const written = () => stage.log.changes.length;

async function theObject(): Promise<KubeObject> {
  const object = await stage.store.get(journalRef(run, namespace));
  if (!object) throw new Error('there is no journal');
  return object;
}

/** Writes a forged journal as an attacker would: complete and consistent in itself. */
async function forge(change: { plan?: (plan: Plan) => Plan; journal?: (journal: Journal) => Journal }): Promise<void> {
  const object = await theObject();
  const { 'plan.json.gz': packed = '' } = object.binaryData as Record<string, string>;
  const found = JSON.parse(gunzipSync(Buffer.from(packed, 'base64')).toString('utf8')) as Plan;
  const changed = change.plan?.(found) ?? found;
  const forged = { ...changed, hash: planHash(changed) };
  const { 'journal.json': text = '' } = object.data as Record<string, string>;
  const journal = { ...(JSON.parse(text) as Journal), planHash: forged.hash };
  await stage.store.patch(journalRef(run, namespace), {
    type: 'merge',
    body: {
      data: { 'journal.json': JSON.stringify(change.journal?.(journal) ?? journal) },
      binaryData: { 'plan.json.gz': gzipSync(JSON.stringify(forged)).toString('base64') },
    },
  });
}

const withAnotherUid = (objects: KubeObject[]): KubeObject[] =>
  objects.map((object) =>
    object.kind === 'Namespace' && object.metadata.name === names.systemNamespace
      ? { ...object, metadata: { ...object.metadata, uid: 'b7e2f0c4-0000-4000-8000-000000000000' } }
      : object,
  );

const earlier = 'earlier.example/';
const fromRegistry = (object: KubeObject): KubeObject =>
  object.kind === 'Installation' ? { ...object, spec: { ...(object.spec as object), registry: earlier } } : object;

const onOperation =
  (id: string, change: (one: Plan['operations'][number]) => Plan['operations'][number]) => (found: Plan) => ({
    ...found,
    operations: found.operations.map((one) => (one.id === id ? change(one) : one)),
  });

async function expectRefused(because: string): Promise<void> {
  const before = written();
  const refused = { kind: 'foreign', run, because };
  expect(await continueRun(ours, run, { how: 'resume' })).toEqual({ refused });
  expect(await continueRun(ours, run, { how: 'undo' })).toEqual({ refused });
  expect(written()).toBe(before);
}

test('a run that was left alone is this installation’s own, and goes on without a question', async () => {
  expect(await provenance()).toEqual({ kind: 'own' });
  expect(startedRun(await continueRun(ours, run, { how: 'resume' })).outcome).toEqual({ kind: 'done' });
  expect(await provenance()).toEqual({ kind: 'own' });
});

describe('a journal that somebody else wrote is not carried on', () => {
  test('with another act in its plan', async () => {
    await forge({
      plan: onOperation('endpoint.configmap', (one) => ({ ...one, status: 'needed' })),
      journal: (journal) => ({ ...journal, entries: [] }),
    });
    await expectRefused('changed');
  });

  test('with another word in its plan: what is only shown is sealed too', async () => {
    await forge({ plan: onOperation('switch.bpf', (one) => ({ ...one, diff: '+ nothing of importance' })) });
    await expectRefused('changed');
  });

  test('with another earlier value to go back to', async () => {
    await forge({
      plan: onOperation('endpoint.restart-operator', (one) => ({
        ...one,
        undo: one.undo && { ...one.undo, title: 'Restore the operator' },
      })),
    });
    await expectRefused('changed');
  });

  test('with steps that it says to be finished', async () => {
    const skipped = plan.operations.find(({ id }) => id === 'felix.cleanup-flag')?.seq ?? 0;
    await forge({
      journal: (journal) => ({
        ...journal,
        entries: [
          ...journal.entries,
          { what: 'finished', direction: 'forward', seq: skipped, at: journal.startedAt, outcome: 'met', note: null },
        ],
      }),
    });
    await expectRefused('changed');
  });

  test('with an earlier state of its own, seal and all', async () => {
    const earlier = await theObject();
    startedRun(await continueRun(stage.process(), run, { how: 'resume' }));
    await stage.store.patch(journalRef(run, namespace), { type: 'merge', body: { data: earlier.data } });
    await expectRefused('older');
  });

  test('with a run that is over and forgotten here, put back', async () => {
    await ours.memory.forget(run);
    await expectRefused('not-remembered');
  });

  test('without a seal, as earlier versions wrote it', async () => {
    await forge({ journal: ({ seal: _seal, ...journal }) => journal });
    await expectRefused('changed');
    await ours.memory.forget(run);
    await expectRefused('not-sealed');
  });

  test('by another installation', async () => {
    expect(await provenance(stage.process({ install: 'install-b' }))).toEqual({
      kind: 'foreign',
      because: 'sealed-elsewhere',
    });
  });

  test('of another cluster, copied here', async () => {
    const { data, binaryData } = await theObject();
    const elsewhere = await openStage({ nodes: 1, objects: withAnotherUid });
    try {
      await elsewhere.store.create(resources.namespaces, {
        apiVersion: 'v1',
        kind: 'Namespace',
        metadata: { name: namespace },
      });
      await elsewhere.store.create(resources.configMaps, {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { name: `signalbox-run-${run}`, namespace, labels: (await theObject()).metadata.labels ?? {} },
        data,
        binaryData,
      });
      const there = { ...elsewhere.process(), memory: ours.memory };
      expect(await continueRun(there, run, { how: 'resume' })).toEqual({ refused: { kind: 'other-cluster' } });
      expect(elsewhere.log.changes).toEqual([]);
    } finally {
      await elsewhere.close();
    }
  });
});

describe('a foreign run that was looked through', () => {
  const other = () => stage.process({ install: 'install-b' });

  test('shows nothing of its own words', async () => {
    const lie = 'Nothing dangerous at all';
    await forge({
      plan: (found) => ({
        ...found,
        operations: found.operations.map((one) => ({ ...one, title: lie, why: lie, command: lie, diff: lie })),
      }),
    });
    const review = await lookThroughForeignRun(other(), run, 'undo');
    expect(review?.steps.length).toBeGreaterThan(0);
    expect(JSON.stringify(review?.steps)).not.toContain(lie);
    const shown = await readRunWithProvenance(stage.ours, journalNamespaces, run, other().memory);
    expect(JSON.stringify(shown.plan.operations)).not.toContain(lie);
  });

  test('is carried on by a plan made here: not one of its acts is carried out', async () => {
    const evil = 'evil.example';
    await forge({ plan: onOperation('switch.bpf', (one) => ({ ...one, why: evil, command: evil })) });
    const process = other();
    const confirmed = await lookedThrough(process, run, 'resume');
    const next = startedRun(await continueRun(process, run, { how: 'resume', confirmed }));
    expect(next.outcome).toEqual({ kind: 'done' });
    expect(next.run).not.toBe(run);
    expect(JSON.stringify((await readRun(stage.ours, journalNamespaces, next.run)).plan)).not.toContain(evil);
    expect((await listRuns(stage.ours, journalNamespaces)).map(({ run: id, state }) => [id, state.kind])).toEqual([
      [next.run, 'done'],
      [run, 'stopped'],
    ]);
    expect(await provenance(process)).toMatchObject({ kind: 'foreign' });
  });

  test('that changes afterwards is not carried on', async () => {
    const process = other();
    const confirmed = await lookedThrough(process, run, 'undo');
    await forge({ plan: onOperation('switch.bpf', (one) => ({ ...one, title: 'another' })) });
    const before = written();
    expect(await continueRun(process, run, { how: 'undo', confirmed })).toEqual({
      refused: { kind: 'changed-since-shown', run },
    });
    expect(written()).toBe(before);
  });

  test('is undone from its beginning, whatever it says to be undone', async () => {
    const first = plan.operations.find(({ id }) => id === 'endpoint.configmap')?.seq ?? 0;
    await forge({
      journal: (journal) => ({
        ...journal,
        entries: [
          ...journal.entries,
          { what: 'undo-asked', at: journal.startedAt, by: 'x/1' },
          { what: 'begun', direction: 'undo', seq: first, at: journal.startedAt, by: 'x/1' },
          { what: 'finished', direction: 'undo', seq: first, at: journal.startedAt, outcome: 'met', note: null },
        ],
      }),
    });
    const process = other();
    const confirmed = await lookedThrough(process, run, 'undo');
    expect(startedRun(await continueRun(process, run, { how: 'undo', confirmed })).outcome).toEqual({ kind: 'undone' });
    const map = { resource: resources.configMaps, namespace: 'tigera-operator', name: 'kubernetes-services-endpoint' };
    expect(await stage.store.get(map)).toBeNull();
  });

  test('restores no pod template and no rights that it recorded', async () => {
    const target = { resource: resources.deployments, namespace: 'tigera-operator', name: 'tigera-operator' };
    const body = {
      spec: { template: { spec: { containers: [{ name: 'tigera-operator', image: 'evil.example/x' }] } } },
    };
    await forge({
      plan: onOperation('endpoint.configmap', (one) => ({
        ...one,
        id: 'operator.apply',
        undo: one.undo && { ...one.undo, act: { kind: 'merge-patch', target, body } },
      })),
    });
    // If the plan matches no definition it is refused before anything of the run is examined.
    const review = await lookThroughForeignRun(other(), run, 'undo').catch(({ message }: Error) => message);
    if (typeof review === 'string') expect(review).toMatch(/cannot be read/);
    else
      expect(review?.problems).toContainEqual({
        id: 'operator.apply',
        message: expect.stringContaining('what runs on nodes'),
      });
  });

  test('restores nothing that is masked in the diff by which it is judged', async () => {
    await stage.close();
    stage = await openStage({ nodes: 1, objects: (objects) => objects.map(fromRegistry) });
    plan = await stage.plan({ set: { registry: 'mirror.example/' } });
    run = startedRun(await startRun(stage.process(), plan)).run;
    await forge({
      plan: onOperation('installation.options', (one) =>
        JSON.parse(JSON.stringify(one).replaceAll(earlier, 'evil.example/ghp_hunter2hunter2hunter2hunter2/')),
      ),
    });
    const review = await lookThroughForeignRun(other(), run, 'undo');
    expect(review?.problems).toEqual([
      { id: 'installation.options', message: expect.stringMatching(/cannot be reviewed/) },
    ]);
  });

  test('that is only stopped stays foreign', async () => {
    const process = other();
    expect(startedRun(await continueRun(process, run, { how: 'stop' })).outcome).toMatchObject({ kind: 'stopped' });
    expect(await provenance(process)).toMatchObject({ kind: 'foreign' });
    expect(await continueRun(process, run, { how: 'undo' })).toMatchObject({ refused: { kind: 'foreign' } });
  });
});

test('a list says whose word a run is', async () => {
  const listedBy = async (context: RunContext) =>
    (await listRunsToShow(stage.ours, journalNamespaces, async () => context.memory)).map(({ foreign }) => foreign);
  expect(await listedBy(ours)).toEqual([null]);
  expect(await listedBy(stage.process({ install: 'another' }))).toEqual([
    expect.stringMatching(/^Another installation/),
  ]);
  await forge({ journal: (journal) => ({ ...journal, state: { kind: 'done' } }) });
  expect(await listedBy(ours)).toEqual([expect.stringMatching(/This run was changed/)]);
});

test('a list says no releases that somebody wrote into a journal', async () => {
  await forge({ journal: (journal) => ({ ...journal, upgrade: { from: 'v0.0.1', to: 'v9.9.9', hops: 3 } }) });
  const [believed] = await listRuns(stage.ours, journalNamespaces);
  expect(believed?.upgrade?.to).toBe('v9.9.9');
  const [shown] = await listRunsToShow(stage.ours, journalNamespaces, async () => ours.memory);
  expect(shown).toMatchObject({ run, goal: 'enable', foreign: expect.stringMatching(/This run was changed/) });
  expect(shown).not.toHaveProperty('upgrade');
});
