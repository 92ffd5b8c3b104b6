import { expect, test } from 'vitest';
import { aProcess, clusterContents, expectSameCluster } from '#e2e/journey/index.ts';
import { collectFacts, withObjects } from '#lib/facts/index.ts';
import { type Clock, instantClock, type KubeObject } from '#lib/kube/index.ts';
import { createStore, type Store } from '#lib/kube/store/index.ts';
import { makePlan, type Plan, parsePlan, planHash } from '#lib/plan/index.ts';
import { someFindings } from '#lib/plan/testing/a-cluster.ts';
import { aRelease } from '#lib/plan/testing/a-release.ts';
import { continueRun, listRuns, type RunEvent, startRun } from '#lib/run/index.ts';
import { choicesSchema, journalNamespaces, resources } from '#lib/spec/index.ts';
import { type KillPoint, killableCluster } from '../testing/killable-cluster.ts';
import { startedRun } from '../testing/started-run.ts';

/**
 * The optional steps after an upgrade (host endpoints, the temporary policy, sidecars) and their undo, on a store. This test simulates the controllers of
 * Calico and Kubernetes and Istio's injector. Whenever a process is killed in between, the undo restores every object.
 */

const crd = 'crd.projectcalico.org/v1';
const nodes = ['worker-1', 'worker-2'];
const automatic = (node: string, labels: KubeObject['metadata']['labels']): KubeObject => ({
  apiVersion: crd,
  kind: 'HostEndpoint',
  metadata: {
    name: `${node}-auto-hep`,
    labels: { ...labels, 'projectcalico.org/created-by': 'calico-kube-controllers' },
  },
  spec: { interfaceName: '*', node },
});

const template = (version: string) =>
  `policy: enabled\ntemplate: |-\n  image: mirror.example/calico/dikastes:${version}\n`;
const injector = { resource: resources.configMaps, namespace: 'istio-system', name: 'istio-sidecar-injector' };
const workloads = ['cart', 'pay'];
const workload = (name: string) => ({ resource: resources.statefulSets, namespace: 'shop', name });

const podsOf = (app: string) => ({
  metadata: { labels: { app } },
  spec: { containers: [{ name: app, image: 'shop.example/app:1' }] },
});

const injected = (app: string, version: string, generation: number): KubeObject => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: {
    name: `${app}-${generation}`,
    namespace: 'shop',
    labels: { app },
    annotations: { 'sidecar.istio.io/status': '{"containers":["dikastes"]}' },
    ownerReferences: [{ apiVersion: 'apps/v1', kind: 'StatefulSet', name: app, uid: app, controller: true }],
  },
  spec: { containers: [{ name: 'dikastes', image: `mirror.example/calico/dikastes:${version}` }] },
});

function aStore(clock: Clock): Store {
  const objects: KubeObject[] = [
    ...['kube-system', 'shop', 'istio-system'].map((name) => ({
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name, uid: name === 'kube-system' ? 'system' : name },
    })),
    ...nodes.map((name) => ({ apiVersion: 'v1', kind: 'Node', metadata: { name, labels: { zone: 'a' } }, spec: {} })),
    ...nodes.map((node) => ({
      apiVersion: crd,
      kind: 'HostEndpoint',
      metadata: { name: `${node}-all`, annotations: { 'projectcalico.org/metadata': '{"labels":{"role":"db"}}' } },
      spec: { interfaceName: '*', node, expectedIPs: ['10.0.0.1'], profiles: ['projectcalico-default-allow'] },
    })),
    {
      apiVersion: crd,
      kind: 'KubeControllersConfiguration',
      metadata: { name: 'default' },
      spec: { controllers: { node: { syncLabels: 'Enabled' } } },
    },
    {
      apiVersion: crd,
      kind: 'GlobalNetworkPolicy',
      metadata: { name: 'default.allow-all-upgrade' },
      spec: { selector: 'has(role)', ingress: [{ action: 'Allow' }], order: 10 },
    },
    {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: injector.name, namespace: injector.namespace },
      data: { config: template('v3.30.7'), values: '{}' },
    },
    ...workloads.map((app) => injected(app, 'v3.30.7', 1)),
    ...workloads.map((app) => ({
      apiVersion: 'apps/v1',
      kind: 'StatefulSet',
      metadata: { name: app, namespace: 'shop', generation: 1, uid: app },
      spec: { replicas: 1, selector: { matchLabels: { app } }, template: podsOf(app) },
      status: { observedGeneration: 1, replicas: 1, updatedReplicas: 1, availableReplicas: 1 },
    })),
  ];
  const { hostEndpoints, kubeControllersConfigurations, globalNetworkPolicies } = resources;
  const kinds = [hostEndpoints, kubeControllersConfigurations, globalNetworkPolicies];
  return createStore({ name: 'lab', source: 'sandbox', clock, kinds, objects });
}

/** A plan made from these objects, reduced to the steps after the release. */
async function planFor(store: Store): Promise<Plan> {
  const choices = choicesSchema.parse({
    goal: 'upgrade',
    release: 'v3.31.4',
    afterwards: ['host-endpoints', 'allow-all-upgrade', 'sidecars'],
  });
  const found = await collectFacts({ kube: store, choices });
  const named = (resource: (typeof resources)[keyof typeof resources], names: string[]) =>
    names.map((name) => ({ resource, name }));
  const read = await withObjects(found, {
    kube: store,
    refs: [
      ...named(resources.nodes, nodes),
      ...named(
        resources.hostEndpoints,
        nodes.map((node) => `${node}-all`),
      ),
      ...named(resources.kubeControllersConfigurations, ['default']),
      ...named(resources.globalNetworkPolicies, ['default.allow-all-upgrade']),
      ...[injector, ...workloads.map(workload)],
    ],
  });
  const facts = { ...read, installation: { ...read.installation, method: 'operator' as const, version: 'v3.30.7' } };
  const full = makePlan({
    facts,
    choices,
    findings: someFindings(),
    now: '2026-11-23T00:00:00.000Z',
    release: aRelease('v3.31.4', 'v1.40.7'),
    running: aRelease('v3.30.7', 'v1.38.16'),
  });
  const operations = full.operations
    .filter(({ id }) => /^(snapshot$|hep\.|policy\.|sidecar\.)/.test(id))
    .map((operation, index) => ({ ...operation, seq: index + 1 }));
  const alone = { ...full, clusterUid: 'system', operations };
  return parsePlan(JSON.parse(JSON.stringify({ ...alone, hash: planHash(alone) })));
}

/** Acts as Calico's controllers once a step waits for them: creates a host endpoint for each node, or deletes them. */
async function controllers(store: Store): Promise<void> {
  const settings = await store.get({ resource: resources.kubeControllersConfigurations, name: 'default' });
  const isOn = JSON.stringify(settings).includes('"autoCreate":"Enabled"');
  for (const node of nodes) {
    const ref = { resource: resources.hostEndpoints, name: `${node}-auto-hep` };
    const there = await store.get(ref);
    const labels = (await store.get({ resource: resources.nodes, name: node }))?.metadata.labels;
    if (isOn && !there) await store.create(resources.hostEndpoints, automatic(node, labels));
    if (!isOn && there) await store.delete(ref);
  }
}

/** Replaces the pod of a workload whose template changed. The injector adds its present sidecar to the new pod. */
async function replaced(store: Store): Promise<void> {
  const text = JSON.stringify((await store.get(injector))?.data);
  const version = /dikastes:(v[0-9.]+)/.exec(text)?.[1] ?? '';
  for (const app of workloads) {
    const live = await store.get(workload(app));
    const { generation = 0 } = live?.metadata ?? {};
    if (Object(live?.status).observedGeneration === generation) continue;
    for await (const { items } of store.list(resources.pods, { namespace: 'shop', labelSelector: `app=${app}` }))
      for (const { metadata } of items)
        await store.delete({ resource: resources.pods, namespace: 'shop', name: metadata.name ?? '' });
    await store.create(resources.pods, injected(app, version, generation));
    const status = { observedGeneration: generation, replicas: 1, updatedReplicas: 1, availableReplicas: 1 };
    await store.patch(workload(app), { type: 'merge', body: { status } }, { subresource: 'status' });
  }
}

async function sidecars(store: Store): Promise<string[]> {
  const images: string[] = [];
  for await (const { items } of store.list(resources.pods, { namespace: 'shop' }))
    for (const { spec } of items) images.push((spec as { containers: { image: string }[] }).containers[0]?.image ?? '');
  return [...images, JSON.stringify((await store.get(injector))?.data)];
}

function opened() {
  const clock = instantClock();
  const store = aStore(clock);
  const memories = new Map();
  // Runs the controllers one turn at a time, however often events report the wait.
  let turn = Promise.resolve();
  const process = (at: KillPoint | null = null) => {
    const victim = killableCluster(store, clock, at);
    const made = aProcess({ kube: victim.kube, clock, memories, to: at === null ? 'live' : 'die' });
    const onEvent = (event: RunEvent) => {
      made.onEvent(event);
      if (event.event === 'operation' && event.data.id === 'hep.auto-create' && event.data.state === 'waiting')
        void controllers(store);
      if (event.event === 'operation' && event.data.id === 'sidecar.rollout' && event.data.state === 'waiting')
        turn = turn.then(() => replaced(store));
    };
    return { victim, context: { ...made, clock: victim.clock, onEvent } };
  };
  return { store, process };
}

const ours = (object: KubeObject) => !['ConfigMap', 'Lease', 'Secret', 'Event', 'Pod'].includes(object.kind);
async function contents(store: Store): Promise<KubeObject[]> {
  await controllers(store);
  await store.settled();
  const isJournal = ({ kind, metadata }: KubeObject) => kind === 'Namespace' && metadata.name === 'signalbox';
  const found = (await clusterContents(store)).filter((object) => ours(object) && !isJournal(object));
  return found.map(evened);
}

/** An object without fields that differ for other reasons: new UIDs, a Node's status and a workload's defaults, which a patch writes out. */
function evened(object: KubeObject): KubeObject {
  const { status: _status, ...rest } = object;
  if (object.kind === 'StatefulSet') return { ...rest, spec: Object(object.spec).template.metadata };
  const isMadeAgain = ['HostEndpoint', 'GlobalNetworkPolicy'].includes(object.kind);
  return isMadeAgain ? { ...rest, metadata: { ...rest.metadata, uid: '' } } : rest;
}

const names = async (store: Store) =>
  (await contents(store)).map(({ kind, metadata }) => `${kind}/${metadata.name}`).toSorted();

const after = [
  ...['HostEndpoint/worker-1-auto-hep', 'HostEndpoint/worker-2-auto-hep'],
  ...[
    'KubeControllersConfiguration/default',
    'Namespace/istio-system',
    'Namespace/kube-system',
    'Namespace/shop',
    'Node/worker-1',
    'Node/worker-2',
  ],
  ...['StatefulSet/cart', 'StatefulSet/pay'],
];

test('there: nodes have the labels and an endpoint each, the old ones and the policy are gone; back: every object as it was', async () => {
  const { store, process } = opened();
  const before = await contents(store);
  const { run, outcome } = startedRun(await startRun(process().context, await planFor(store)));
  expect(outcome).toEqual({ kind: 'done' });
  expect(await names(store)).toEqual(after);
  const worker = await store.get({ resource: resources.nodes, name: 'worker-1' });
  expect(worker?.metadata.labels).toEqual({ zone: 'a', role: 'db' });
  const image = 'mirror.example/calico/dikastes:v3.31.4';
  const data = (version: string) => JSON.stringify({ config: template(version), values: '{}' });
  expect(await sidecars(store)).toEqual([image, image, data('v3.31.4')]);
  expect(startedRun(await continueRun(process().context, run, { how: 'undo' })).outcome).toEqual({ kind: 'undone' });
  expectSameCluster(before, await contents(store));
  const old = 'mirror.example/calico/dikastes:v3.30.7';
  expect(await sidecars(store)).toEqual([old, old, data('v3.30.7')]);
});

test('killed before and after any of these writes, there and back, the next process goes on', async () => {
  const writes = /^(patch (Node|Kube|Stateful)|delete (HostEndpoint|Global)|create (hostend|globaln))/;
  const deathsOf = (calls: { method: string }[]) =>
    calls.flatMap(({ method }, index): KillPoint[] =>
      writes.test(method) ? (['before', 'after'] as const).map((moment) => ({ call: index + 1, moment })) : [],
    );
  const undisturbed = opened();
  const forth = undisturbed.process({ call: -1, moment: 'after' });
  const { run } = startedRun(await startRun(forth.context, await planFor(undisturbed.store)));
  const back = undisturbed.process({ call: -1, moment: 'after' });
  startedRun(await continueRun(back.context, run, { how: 'undo' }));
  expect([deathsOf(forth.victim.calls).length, deathsOf(back.victim.calls).length]).toEqual([16, 16]);

  for (const call of deathsOf(forth.victim.calls)) {
    const { store, process } = opened();
    const plan = await planFor(store);
    const dies = process(call);
    await Promise.race([dies.victim.death, startRun(dies.context, plan)]);
    const [found] = await listRuns(store, journalNamespaces);
    const next = process().context;
    const ended = found ? await continueRun(next, found.run, { how: 'resume' }) : await startRun(next, plan);
    if (!('refused' in ended) || ended.refused.kind !== 'ended')
      expect({ call, outcome: startedRun(ended).outcome }).toEqual({ call, outcome: { kind: 'done' } });
    expect({ call, names: await names(store) }).toEqual({ call, names: after });
  }
  for (const call of deathsOf(back.victim.calls)) {
    const { store, process } = opened();
    const before = await contents(store);
    const begun = startedRun(await startRun(process().context, await planFor(store)));
    const dies = process(call);
    await Promise.race([dies.victim.death, continueRun(dies.context, begun.run, { how: 'undo' })]);
    const ended = await continueRun(process().context, begun.run, { how: 'undo' });
    if (!('refused' in ended) || ended.refused.kind !== 'ended')
      expect({ call, outcome: startedRun(ended).outcome }).toEqual({ call, outcome: { kind: 'undone' } });
    expectSameCluster(before, await contents(store));
  }
});
