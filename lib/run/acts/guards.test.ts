import { expect, test } from 'vitest';
import { createStore, type KubeObject } from '#lib/kube/index.ts';
import type { Act, Guard } from '#lib/plan/index.ts';
import { type ObjectRef, resources } from '#lib/spec/index.ts';
import { changedBetween } from './guards.ts';

const target: ObjectRef = { resource: resources.daemonSets, namespace: 'kube-system', name: 'calico-node' };
const path = ['spec', 'template', 'spec', 'containers'];
const container = (image: string, env: readonly object[], more: object = {}) => [
  { name: 'agent', image, env, ...more },
];
const [mine, theirs] = [
  { name: 'MINE', value: 'x' },
  { name: 'THEIRS', value: 'y' },
];
const planned = container('node:v1', [mine]);
const written = container('node:v2', [mine, { name: 'NEW', value: '' }]);
/** With the server's defaults, and in its order. */
const served = container('node:v2', [{ name: 'NEW' }, mine], { imagePullPolicy: 'IfNotPresent' });

test.each([
  ['as it was', planned, false, 0],
  ['a variable of somebody else', container('node:v1', [mine, theirs]), false, 1],
  ['what the act wrote, before it began', served, false, 1],
  ['what the act wrote, by a process that is gone', served, true, 0],
  ['the same with a variable of somebody else', container('node:v2', [mine, { name: 'NEW' }, theirs]), true, 1],
])('%s', async (_what, containers, begun, changes) => {
  const metadata = { namespace: 'kube-system', name: 'calico-node' };
  const spec = { template: { spec: { containers } } };
  const live = { apiVersion: 'apps/v1', kind: 'DaemonSet', metadata, spec } as KubeObject;
  const kube = createStore({ name: 'lab', source: 'live', kinds: [resources.daemonSets], objects: [live] });
  const body = { spec: { template: { spec: { containers: written } } } };
  const act: Act = { kind: 'apply', target, body, force: true };
  const guards: Guard[] = [{ target, expected: [{ path, equals: planned }] }];
  expect(await changedBetween(kube, guards, begun ? act : null)).toHaveLength(changes);
});
