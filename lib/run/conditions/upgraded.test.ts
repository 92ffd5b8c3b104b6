import { expect, test } from 'vitest';
import { createStore, type KubeObject } from '#lib/kube/index.ts';
import { names, resources } from '#lib/spec/index.ts';
import type { ConditionContext } from './context.ts';
import { upgraded } from './upgraded.ts';

const [old, wanted] = ['v3.30.7', 'v3.31.4'] as const;
const labels = { 'k8s-app': 'calico-node' };

type Shape = {
  /** What the operator reports. */
  reported: string | null;
  /** Agents that the DaemonSet counts as updated, of two. */
  updated: number;
  agents: readonly { version: string; ready: boolean }[];
  /** What the TigeraStatus says of itself. */
  available: 'True' | 'False';
};

const done: Shape = {
  reported: wanted,
  updated: 2,
  agents: [
    { version: wanted, ready: true },
    { version: wanted, ready: true },
  ],
  available: 'True',
};

const condition = (type: string, status: string) => ({ type, status, observedGeneration: 3 });

function objectsOf({ reported, updated, agents, available }: Shape): KubeObject[] {
  const image = `quay.io/calico/node:${wanted}`;
  return [
    {
      apiVersion: 'operator.tigera.io/v1',
      kind: 'Installation',
      metadata: { name: 'default', generation: 3 },
      status: reported === null ? {} : { calicoVersion: reported },
    },
    {
      apiVersion: 'operator.tigera.io/v1',
      kind: 'TigeraStatus',
      metadata: { name: 'calico' },
      status: {
        conditions: [
          condition('Available', available),
          condition('Progressing', 'False'),
          condition('Degraded', 'False'),
        ],
      },
    },
    {
      apiVersion: 'apps/v1',
      kind: 'DaemonSet',
      metadata: { name: names.nodeDaemonSet, namespace: names.calicoNamespace, uid: 'agents', generation: 2 },
      spec: {
        selector: { matchLabels: labels },
        template: { metadata: { labels }, spec: { containers: [{ name: names.nodeContainer, image }] } },
      },
      status: {
        observedGeneration: 2,
        desiredNumberScheduled: 2,
        currentNumberScheduled: 2,
        updatedNumberScheduled: updated,
        numberAvailable: 2,
        numberReady: 2,
      },
    },
    ...agents.flatMap(({ version, ready }, index): KubeObject[] => [
      {
        apiVersion: 'v1',
        kind: 'Node',
        metadata: { name: `worker-${index}`, labels: { 'kubernetes.io/os': 'linux' } },
        status: { conditions: [{ type: 'Ready', status: 'True' }] },
      },
      {
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: {
          ...{ name: `calico-node-${index}`, namespace: names.calicoNamespace, labels },
          ownerReferences: [
            { apiVersion: 'apps/v1', kind: 'DaemonSet', name: names.nodeDaemonSet, uid: 'agents', controller: true },
          ],
        },
        spec: {
          nodeName: `worker-${index}`,
          containers: [{ name: names.nodeContainer, image: `quay.io/calico/node:${version}` }],
        },
        status: {
          phase: 'Running',
          conditions: [{ type: 'Ready', status: ready ? 'True' : 'False' }],
          containerStatuses: [{ name: names.nodeContainer, ready, restartCount: 0, state: { running: {} } }],
        },
      },
    ]),
  ];
}

/** `meanwhile`: what the operator reports a second later. */
function evaluated(changed: Partial<Shape>, meanwhile?: string) {
  const store = createStore({
    ...{ name: 'lab', source: 'live', kinds: Object.values(resources) },
    objects: objectsOf({ ...done, ...changed }),
  });
  const sleep = async () => {
    if (meanwhile === undefined) return;
    await store.patch(
      { resource: resources.installations, name: 'default' },
      { type: 'merge', body: { status: { calicoVersion: meanwhile } } },
      { subresource: 'status' },
    );
  };
  const context = {
    ...{ kube: store, clock: { sleep }, signal: new AbortController().signal },
    felixResource: resources.felixConfigurations,
  } as unknown as ConditionContext;
  return upgraded({ kind: 'upgraded', version: wanted }, context);
}

test('an upgrade by the operator has ended when version, rollout and the agent of every node say so', async () => {
  expect(await evaluated({})).toMatchObject({ kind: 'met', note: `2 of 2 nodes run ${wanted}` });
});

const one = { version: wanted, ready: true };
test.each<[string, Partial<Shape>, RegExp]>([
  ['the version is the old one', { reported: old }, /to report version v3\.31\.4, it reports v3\.30\.7/],
  ['no version is reported', { reported: null }, /to report version v3\.31\.4, it reports none/],
  ['the rollout goes on', { updated: 1 }, /DaemonSet|agents|restart/],
  ['an agent is of the old release', { agents: [one, { version: old, ready: true }] }, /1 of 2 are/],
  ['an agent is not ready', { agents: [one, { version: wanted, ready: false }] }, /1 of 2 are/],
])('an upgrade is never proved by TigeraStatus alone: it is Available while %s', async (_what, changed, words) => {
  const progress = await evaluated(changed);
  expect(progress.kind).toBe('waiting');
  expect(progress.kind === 'waiting' && progress.awaiting).toMatch(words);
});

test('a version that is reported once and then no more is no proof', async () => {
  expect((await evaluated({}, old)).kind).toBe('waiting');
});

test('a TigeraStatus that complains is waited for, too', async () => {
  expect((await evaluated({ available: 'False' })).kind).toBe('waiting');
});
