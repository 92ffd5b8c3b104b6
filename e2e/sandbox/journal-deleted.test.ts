import { afterEach, expect, test } from 'vitest';
import { expectSameCluster } from '#e2e/journey/index.ts';
import type { KubeObject } from '#lib/kube/index.ts';
import {
  continueRun,
  journalRef,
  leaseRef,
  memoryInProcess,
  type RunEvent,
  readRunWithProvenance,
  startRun,
} from '#lib/run/index.ts';
import { journalNamespaces, names, resources } from '#lib/spec/index.ts';
import { openStage, type Stage } from './testing/stage.ts';
import { startedRun } from './testing/started-run.ts';

/** The journal of a run, or its namespace, is deleted during the run. */
let stage: Stage;
afterEach(() => stage.close());

const namespace = { resource: resources.namespaces, name: names.journalNamespace };

const problems = (events: readonly RunEvent[]) =>
  events.flatMap((event) => (event.event === 'problem' ? [event.data.code] : []));

/** A process during which `act` happens once, as soon as the run waits for the agents after the switch. */
function disturbed(act: (run: string) => Promise<unknown>) {
  const process = stage.process();
  let left: Promise<unknown> | null = null;
  const { onEvent } = process;
  process.onEvent = (event) => {
    onEvent(event);
    if (left === null && event.event === 'operation' && event.data.id === 'switch.bpf' && event.data.state === 'acted')
      left = act(event.run);
  };
  return { process, disturbance: () => left };
}

test.each([
  ['the journal', (run: string) => stage.store.delete(journalRef(run, names.journalNamespace))],
  ['the namespace, with journal and Lease', () => stage.store.delete(namespace)],
])('%s: it is restored, the run goes on to its end, and its undo is exact', async (_what, act) => {
  stage = await openStage({ nodes: 2 });
  const before = await stage.contents();
  const { process, disturbance } = disturbed(act);
  const { run, outcome } = startedRun(await startRun(process, await stage.plan()));
  await disturbance();
  expect(disturbance()).not.toBeNull();
  expect(outcome).toEqual({ kind: 'done' });
  expect(problems(process.events)).toEqual(['journal.gone']);
  const { journal, provenance } = await readRunWithProvenance(stage.ours, journalNamespaces, run, process.memory);
  expect(provenance).toEqual({ kind: 'own' });
  expect(journal.state).toEqual({ kind: 'done' });
  const begun = journal.entries.flatMap((entry) => (entry.what === 'begun' ? [entry.seq] : []));
  expect(begun).toEqual([...new Set(begun)]);
  await stage.pass(30);
  expect(startedRun(await continueRun(stage.process(), run, { how: 'undo' })).outcome).toEqual({ kind: 'undone' });
  await stage.pass(60);
  expectSameCluster(before, await stage.contents());
});

test('the Lease alone: it is made anew before anybody may think it free, and the run goes on', async () => {
  stage = await openStage({ nodes: 1 });
  const { process, disturbance } = disturbed(() => stage.store.delete(leaseRef(names.journalNamespace)));
  const { outcome } = startedRun(await startRun(process, await stage.plan()));
  await disturbance();
  expect(outcome).toEqual({ kind: 'done' });
  expect(problems(process.events)).toEqual([]);
});

test('the Lease, and somebody else takes it: the run is theirs', async () => {
  stage = await openStage({ nodes: 1 });
  const { process } = disturbed(async () => {
    const lease = await stage.store.get(leaseRef(names.journalNamespace));
    await stage.store.delete(leaseRef(names.journalNamespace));
    await stage.store.create(resources.leases, {
      apiVersion: 'coordination.k8s.io/v1',
      kind: 'Lease',
      metadata: { name: names.lease, namespace: names.journalNamespace },
      spec: { ...(lease?.spec as object), holderIdentity: 'another/process' },
    });
  });
  expect(startedRun(await startRun(process, await stage.plan())).outcome).toMatchObject({ kind: 'lost' });
});

test('another journal in its place: nothing more is done', async () => {
  stage = await openStage({ nodes: 1 });
  const { process } = disturbed(async (run) => {
    const ref = journalRef(run, names.journalNamespace);
    const found = await stage.store.get(ref);
    await stage.store.delete(ref);
    if (!found) throw new Error('there is no journal');
    const { resourceVersion: _, uid: __, ...metadata } = found.metadata;
    await stage.store.create(resources.configMaps, { ...found, metadata, data: { 'journal.json': '{}' } });
  });
  expect(startedRun(await startRun(process, await stage.plan())).outcome).toMatchObject({ kind: 'lost' });
});

test('who may not make the namespace anew is told so, and somebody who may goes on from the copy', async () => {
  stage = await openStage({ nodes: 1 });
  const { process, disturbance } = disturbed(() => stage.store.delete(namespace));
  const { kube } = process;
  let mayMake = true;
  process.kube = {
    ...kube,
    create: (resource, object, options) =>
      mayMake || resource.kind !== 'Namespace'
        ? kube.create(resource, object, options)
        : stage.store.as({ name: 'weak', rules: [] }).create(resource, object, options),
  };
  const plan = await stage.plan();
  const { onEvent } = process;
  process.onEvent = (event) => {
    mayMake = false;
    onEvent(event);
  };
  const { run, outcome } = startedRun(await startRun(process, plan));
  await disturbance();
  expect(outcome).toMatchObject({ kind: 'paused', code: 'journal.gone', operation: null, choices: ['resume'] });
  expect('because' in outcome && outcome.because).toMatch(/create namespaces.*signalbox resume/s);
  expect(await stage.store.get(namespace)).toBeNull();
  expect((await readRunWithProvenance(stage.ours, journalNamespaces, run, process.memory)).provenance).toEqual({
    kind: 'own',
  });
  expect(startedRun(await continueRun(stage.process(), run, { how: 'resume' })).outcome).toEqual({ kind: 'done' });
});

test('a paused run whose journal is deleted is not forgotten: no other begins beside it, and it can be ended', async () => {
  stage = await openStage({ nodes: 1 });
  const before = await stage.contents();
  const process = stage.process();
  const { onEvent } = process;
  process.onEvent = (event) => {
    onEvent(event);
    if (event.event === 'operation' && event.data.id === 'endpoint.active' && event.data.state === 'finished')
      process.control.ask('pause');
  };
  const { run } = startedRun(await startRun(process, await stage.plan()));
  await stage.store.delete(journalRef(run, names.journalNamespace));
  const refused = { kind: 'unfinished', run, samePlan: false };
  expect(await startRun(stage.process(), await stage.plan())).toEqual({ refused });
  expect(startedRun(await continueRun(stage.process(), run, { how: 'undo' })).outcome).toEqual({ kind: 'undone' });
  await stage.pass(60);
  expectSameCluster(before, await stage.contents());
  expect(startedRun(await startRun(stage.process(), await stage.plan())).outcome).toEqual({ kind: 'done' });
});

test('a copy says nothing of another cluster, and nothing without the key that sealed it', async () => {
  stage = await openStage({ nodes: 1 });
  const process = stage.process();
  const { run } = startedRun(await startRun(process, await stage.plan()));
  await stage.store.delete(journalRef(run, names.journalNamespace));
  const copy = await process.memory.recall(run);
  if (!copy) throw new Error('there is no copy');
  const read = (memory = process.memory) => readRunWithProvenance(stage.ours, journalNamespaces, run, memory);
  expect((await read()).journal.run).toBe(run);
  const stranger = memoryInProcess('another');
  await stranger.keep(copy);
  await expect(read(stranger)).rejects.toMatchObject({ code: 'not-found' });
  await stage.close();
  stage = await openStage({ nodes: 1, objects: (objects) => objects.map(ofAnother) });
  await expect(read()).rejects.toMatchObject({ code: 'not-found' });
  expect(await continueRun(stage.process(), run, { how: 'undo' })).toEqual({ refused: { kind: 'no-such-run' } });
});

function ofAnother(object: KubeObject): KubeObject {
  if (object.kind !== 'Namespace' || object.metadata.name !== names.systemNamespace) return object;
  return { ...object, metadata: { ...object.metadata, uid: '11111111-2222-3333-4444-555555555555' } };
}
