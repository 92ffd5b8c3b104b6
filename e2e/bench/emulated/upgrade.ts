/**
 * `node upgrade.ts <nodes> <kubeconfig>`, forked: a big cluster at v3.30.7 with an operator and nodes. During an upgrade a twentieth of the nodes change
 * their release at a time, each at its own pace, and all of them take longer than the measurement. It sends a message when it listens, after the operator
 * has settled.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { conditionsOf, isTrue, type Kube, type KubeObject, rolloutCounts } from '#lib/kube/index.ts';
import { normalTimings, openSandbox, serveStore } from '#lib/sandbox/index.ts';
import { names, resources } from '#lib/spec/index.ts';
import type { Reply } from './api.ts';
import { emulatedObjects } from './cluster.ts';

const [, , nodes = '5000', kubeconfig = ''] = process.argv;
const release = 'v3.30.7';
const movesForMs = 180_000;
const atOnce = { nodeUpdateStrategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: '5%' } } };
/** Until a new agent is ready: each node has its own place in it, so that they arrive one by one. */
const readyMs = [movesForMs / 40, (movesForMs * 3) / 40] as const;
const ofInstallation = (object: KubeObject): KubeObject =>
  object.kind === 'Installation' ? { ...object, spec: { ...Object(object.spec), ...atOnce } } : object;

const objects = emulatedObjects(Number(nodes), Date.now(), { calico: release }).map(ofInstallation);
const timings = { ...normalTimings };
const { store } = await openSandbox('standard', { speed: 'normal', operator: release, objects, timings });
process.on('disconnect', () => process.exit());
// So many nodes get more Typhas than the sample has, and the page refuses to plan while pods are not ready.
while (!(await isSettled(store))) await sleep(200);
timings.readyMs = readyMs;
await serveStore(store, { name: 'emulated', kubeconfig });
const reply: Reply = { kind: 'listening', objects: objects.length };
process.send?.(reply);

/** Every workload of Calico is as its object asks, and the operator says so. */
async function isSettled(kube: Kube): Promise<boolean> {
  for (const resource of [resources.deployments, resources.daemonSets])
    for await (const { items } of kube.list(resource, { namespace: names.calicoNamespace }))
      if (items.some((one) => !rolloutCounts(one).complete)) return false;
  for await (const { items } of kube.list(resources.tigeraStatuses))
    if (items.some((one) => !isTrue(conditionsOf(one), 'Available') || isTrue(conditionsOf(one), 'Progressing')))
      return false;
  return true;
}
