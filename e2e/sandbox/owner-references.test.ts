import { expect, test } from 'vitest';
import { aProcess, planOwnerSteps } from '#e2e/journey/index.ts';
import { type Clock, instantClock, type KubeObject } from '#lib/kube/index.ts';
import { createStore, type Store } from '#lib/kube/store/index.ts';
import type { Plan } from '#lib/plan/index.ts';
import { continueRun, listRuns, type RunEvent, startRun } from '#lib/run/index.ts';
import { journalNamespaces, resources, v3Uid } from '#lib/spec/index.ts';
import { type KillPoint, killableCluster } from './testing/killable-cluster.ts';
import { startedRun } from './testing/started-run.ts';

/** Owner references across the release that changes UIDs, on a store whose garbage collector deletes objects without owners (spec › Owner references). */

const stored = resources.calicoNetworkPolicies;
const shown = resources.calicoNetworkPoliciesV3;
const uid = '5d0c2a2a-9b1e-4f0e-8f4c-1b6f3a1c7e01';
const laterUid = v3Uid(uid) ?? '';
const policy = { resource: shown, namespace: 'shop', name: 'default.cart' };
const settings = { resource: resources.configMaps, namespace: 'shop', name: 'settings' };

const owner = (uidOfOwner: string, more: object = {}) => ({
  apiVersion: 'projectcalico.org/v3',
  kind: 'NetworkPolicy',
  name: 'default.cart',
  uid: uidOfOwner,
  ...more,
});
const full = { controller: true, blockOwnerDeletion: true };
const other = { apiVersion: 'v1', kind: 'Namespace', name: 'shop', uid: 'a0000000-0000-4000-8000-000000000001' };

const calico = (apiVersion: string, uidShown: string): KubeObject => ({
  apiVersion,
  kind: 'NetworkPolicy',
  metadata: { name: 'default.cart', namespace: 'shop', uid: uidShown },
});

function aStore(clock: Clock): Store {
  const namespace = (name: string): KubeObject => ({
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name, uid: name === 'shop' ? other.uid : name },
  });
  const configMap = (name: string, ownerReferences: KubeObject['metadata']['ownerReferences'] = []): KubeObject => ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name, namespace: 'shop', ownerReferences },
    data: { of: name },
  });
  return createStore({
    name: 'lab',
    source: 'sandbox',
    clock,
    kinds: [stored, shown],
    objects: [
      ...['kube-system', 'shop'].map(namespace),
      calico('crd.projectcalico.org/v1', uid),
      calico('projectcalico.org/v3', uid),
      configMap('settings', [owner(uid, full)]),
      configMap('shared', [other, owner(uid)]),
      configMap('free'),
    ],
  });
}

/** Serves the UIDs of another release of the v3 API, so that the garbage collector finds no owner with the earlier UID. */
async function serve(store: Store, uidShown: string): Promise<void> {
  await store.delete(policy);
  store.load([calico('projectcalico.org/v3', uidShown)]);
  await store.settled();
}

async function names(store: Store): Promise<string[]> {
  await store.settled();
  const found: string[] = [];
  for await (const { items } of store.list(resources.configMaps, { namespace: 'shop' }))
    found.push(...items.map(({ metadata }) => metadata.name ?? ''));
  return found.toSorted();
}

const ownersOf = async (store: Store, name: string) =>
  (await store.get({ ...settings, name }))?.metadata.ownerReferences ?? [];

async function planFor(store: Store): Promise<Plan> {
  const { whole, alone } = await planOwnerSteps(store);
  expect(whole.operations.map(({ id }) => id)).toEqual([
    'snapshot',
    'owner-refs.remove',
    'crds',
    'owner-refs.remove',
    'operator.apply',
    'release.active',
    'owner-refs.restore',
    'verify.pods',
    'verify.version',
    'verify.services',
  ]);
  return alone;
}

/** Processes of one installation of Signalbox. The release changes, or changes back, once a step waits for it. */
function aWorkplace(store: Store, clock: Clock) {
  const memories = new Map();
  const process = (at: KillPoint | null = null) => {
    const victim = killableCluster(store, clock, at);
    const made = aProcess({ kube: victim.kube, clock, memories, to: at === null ? 'live' : 'die' });
    const onEvent = (event: RunEvent) => {
      made.onEvent(event);
      if (event.event !== 'operation' || event.data.state !== 'waiting') return;
      const { id, direction } = event.data;
      if (id === 'owner-refs.restore' && direction === 'forward') void serve(store, laterUid);
      if (id === 'owner-refs.remove' && direction === 'undo') void serve(store, uid);
    };
    return { victim, context: { ...made, clock: victim.clock, onEvent } };
  };
  return { process };
}

function opened() {
  const clock = instantClock();
  const store = aStore(clock);
  return { store, clock, workplace: aWorkplace(store, clock) };
}

const everything = ['free', 'settings', 'shared'];

test('control: without the first step, what Calico owned is lost with its old UID', async () => {
  const { store } = opened();
  await serve(store, laterUid);
  expect(await names(store)).toEqual(['free', 'shared']);
});

test('nothing is lost on the way there or back, and each time the owners have the UIDs of then', async () => {
  const { store, workplace } = opened();
  const plan = await planFor(store);
  const { run, outcome } = startedRun(await startRun(workplace.process().context, plan));
  expect(outcome).toEqual({ kind: 'done' });
  expect(await names(store)).toEqual(everything);
  expect(await ownersOf(store, 'settings')).toEqual([owner(laterUid, full)]);
  expect(await ownersOf(store, 'shared')).toEqual([other, owner(laterUid)]);

  expect(startedRun(await continueRun(workplace.process().context, run, { how: 'undo' })).outcome).toEqual({
    kind: 'undone',
  });
  expect(await names(store)).toEqual(everything);
  expect(await ownersOf(store, 'settings')).toEqual([owner(uid, full)]);
  expect(await ownersOf(store, 'shared')).toEqual([other, owner(uid)]);
});

test('killed before and after any change of an object, there and back, the next process goes on and nothing is lost', async () => {
  const undisturbed = opened();
  const { victim, context } = undisturbed.workplace.process({ call: -1, moment: 'after' });
  const { run } = startedRun(await startRun(context, await planFor(undisturbed.store)));
  const forth = [...victim.calls];
  const back = undisturbed.workplace.process({ call: -1, moment: 'after' });
  startedRun(await continueRun(back.context, run, { how: 'undo' }));
  // The run's own bookkeeping is between these writes.
  const deathsOf = (calls: typeof victim.calls) =>
    calls.flatMap(({ method }, index): KillPoint[] =>
      /^patch ConfigMap\/(settings|shared)$/.test(method)
        ? [
            { call: index + 1, moment: 'before' },
            { call: index + 1, moment: 'after' },
          ]
        : [],
    );
  expect(deathsOf(forth)).toHaveLength(8);
  expect(deathsOf(back.victim.calls)).toHaveLength(8);

  for (const call of deathsOf(forth)) {
    const { store, workplace } = opened();
    const plan = await planFor(store);
    const dies = workplace.process(call);
    await Promise.race([dies.victim.death, startRun(dies.context, plan)]);
    const found = await onlyRun(store);
    const next = workplace.process().context;
    const ended = found ? await continueRun(next, found, { how: 'resume' }) : await startRun(next, plan);
    if (!('refused' in ended) || ended.refused.kind !== 'ended')
      expect({ call, outcome: startedRun(ended).outcome }).toEqual({ call, outcome: { kind: 'done' } });
    expect({ call, names: await names(store) }).toEqual({ call, names: everything });
    expect(await ownersOf(store, 'settings')).toEqual([owner(laterUid, full)]);
  }
  for (const call of deathsOf(back.victim.calls)) {
    const { store, workplace } = opened();
    const begun = startedRun(await startRun(workplace.process().context, await planFor(store)));
    const dies = workplace.process(call);
    await Promise.race([dies.victim.death, continueRun(dies.context, begun.run, { how: 'undo' })]);
    const ended = await continueRun(workplace.process().context, begun.run, { how: 'undo' });
    if (!('refused' in ended) || ended.refused.kind !== 'ended')
      expect({ call, outcome: startedRun(ended).outcome }).toEqual({ call, outcome: { kind: 'undone' } });
    expect({ call, names: await names(store) }).toEqual({ call, names: everything });
    expect(await ownersOf(store, 'settings')).toEqual([owner(uid, full)]);
  }
});

test('a controller that brings them back pauses the run; continued, they are taken away again', async () => {
  const { store, workplace } = opened();
  const plan = await planFor(store);
  const shared = { ...settings, name: 'shared' };
  let isPaused = false;
  const stop = store.onChange(({ object }) => {
    const { name, ownerReferences = [] } = object.metadata;
    if (isPaused || name !== 'settings' || ownerReferences.length > 0) return;
    const body = { metadata: { ownerReferences: [owner(uid, full)] } };
    void store.patch(settings, { type: 'merge', body });
  });
  const first = startedRun(await startRun(workplace.process().context, plan));
  expect(first.outcome).toMatchObject({
    kind: 'paused',
    code: 'owner-references.brought-back',
    because: expect.stringContaining('again: ConfigMap settings. Pause whoever writes them first. Those'),
    operation: 'owner-refs.remove',
  });
  isPaused = true;
  stop();
  const last = startedRun(await continueRun(workplace.process().context, first.run, { how: 'resume' }));
  expect(last.outcome).toEqual({ kind: 'done' });
  expect(await names(store)).toEqual(everything);
  expect(await ownersOf(store, shared.name)).toEqual([other, owner(laterUid)]);
});

test('an object that is owned only since the plan was made pauses the run: its reference stands in no plan', async () => {
  const { store, workplace } = opened();
  const plan = await planFor(store);
  const body = { metadata: { ownerReferences: [owner(uid)] } };
  await store.patch({ ...settings, name: 'free' }, { type: 'merge', body });
  const { outcome } = startedRun(await startRun(workplace.process().context, plan));
  expect(outcome).toMatchObject({
    kind: 'paused',
    because: expect.stringMatching(/ConfigMap free.*not there when the plan was made/),
  });
  expect(await names(store)).toEqual(everything);
});

test('one that is owned only since then does not keep the way back: its command lets it go on', async () => {
  const { store, workplace } = opened();
  const { run } = startedRun(await startRun(workplace.process().context, await planFor(store)));
  const free = { ...settings, name: 'free' };
  await store.patch(free, { type: 'merge', body: { metadata: { ownerReferences: [owner(laterUid)] } } });
  const { outcome } = startedRun(await continueRun(workplace.process().context, run, { how: 'undo' }));
  const named = 'kubectl get configmaps/free -n shop -o json | jq ';
  expect(outcome).toMatchObject({ kind: 'paused', because: expect.stringContaining(`the first with \`${named}`) });
  expect(outcome).not.toMatchObject({ because: expect.stringContaining('once more') });
  await store.patch(free, { type: 'merge', body: { metadata: { ownerReferences: null } } });
  const back = startedRun(await continueRun(workplace.process().context, run, { how: 'undo' }));
  expect(back.outcome).toEqual({ kind: 'undone' });
  expect(await names(store)).toEqual(everything);
});

test('an owner that is gone meanwhile gets no reference, and the run asks', async () => {
  const { store, clock } = opened();
  const plan = await planFor(store);
  const memories = new Map();
  const made = aProcess({ kube: store, clock, memories });
  const onEvent = (event: RunEvent) => {
    made.onEvent(event);
    if (event.event !== 'operation' || event.data.id !== 'owner-refs.restore' || event.data.state !== 'waiting') return;
    void store.delete({ ...policy, resource: stored }).catch(() => undefined);
  };
  const { outcome } = startedRun(await startRun({ ...made, onEvent }, plan));
  expect(outcome).toMatchObject({
    kind: 'paused',
    code: 'unknown',
    because: expect.stringContaining('its owner NetworkPolicy default.cart is no longer there'),
  });
  expect(await ownersOf(store, 'settings')).toEqual([]);
});

async function onlyRun(store: Store): Promise<string | null> {
  return (await listRuns(store, journalNamespaces))[0]?.run ?? null;
}
