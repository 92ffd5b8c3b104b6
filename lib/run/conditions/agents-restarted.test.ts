import { expect, test } from 'vitest';
import { createStore, type KubeObject } from '#lib/kube/index.ts';
import { felixLines, names, resources } from '#lib/spec/index.ts';
import { agentsRestarted } from './agents-restarted.ts';
import type { ConditionContext } from './context.ts';

const labels = { 'k8s-app': 'calico-node' };
const [created, writtenAt, restartedAt] = ['2026-11-21T05:00:00Z', '2026-11-21T06:00:00Z', '2026-11-21T06:00:05Z'];
const path = ['spec', 'bpfKubeProxyIptablesCleanupEnabled'];
const felix = { resource: resources.felixConfigurations, name: 'default' };

const settings: KubeObject = {
  apiVersion: 'crd.projectcalico.org/v1',
  kind: 'FelixConfiguration',
  metadata: {
    name: 'default',
    managedFields: [
      {
        ...{ manager: 'signalbox', operation: 'Update', time: writtenAt },
        fieldsV1: { 'f:spec': { 'f:bpfKubeProxyIptablesCleanupEnabled': {} } },
      },
    ],
  },
  spec: { bpfKubeProxyIptablesCleanupEnabled: false },
};

const daemonSet: KubeObject = {
  apiVersion: 'apps/v1',
  kind: 'DaemonSet',
  metadata: { namespace: names.calicoNamespace, name: names.nodeDaemonSet, uid: 'agents' },
  spec: {
    selector: { matchLabels: labels },
    template: { metadata: { labels }, spec: { containers: [{ name: names.nodeContainer }] } },
  },
};

function onNode(name: string): KubeObject[] {
  const running = {
    name: names.nodeContainer,
    ready: true,
    restartCount: 0,
    state: { running: { startedAt: created } },
  };
  const owner = {
    apiVersion: 'apps/v1',
    kind: 'DaemonSet',
    name: names.nodeDaemonSet,
    uid: 'agents',
    controller: true,
  };
  return [
    {
      apiVersion: 'v1',
      kind: 'Node',
      metadata: { name, labels: { 'kubernetes.io/os': 'linux' }, creationTimestamp: created },
      status: { conditions: [{ type: 'Ready', status: 'True' }] },
    },
    {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: {
        ...{ namespace: names.calicoNamespace, name: `calico-node-${name}`, uid: name, labels },
        ...{ creationTimestamp: created, ownerReferences: [owner] },
      },
      spec: { nodeName: name, containers: [{ name: names.nodeContainer }] },
      status: {
        phase: 'Running',
        conditions: [{ type: 'Ready', status: 'True' }],
        containerStatuses: [running],
      },
    },
  ];
}

/** `stuck`: the nodes whose agent has not started again. */
async function look(nodes: readonly string[], stuck: readonly string[] = []) {
  const store = createStore({
    ...{ name: 'lab', source: 'live', kinds: Object.values(resources) },
    objects: [settings, daemonSet, ...nodes.flatMap(onNode)],
  });
  let [now, most] = [0, 0];
  const logs = async ({ name }: { name: string }) => {
    most = Math.max(most, ++now);
    await new Promise((resolve) => setImmediate(resolve));
    now--;
    const at = stuck.some((one) => name.endsWith(one)) ? created : restartedAt;
    return `${at} ${at} [INFO][8] felix/daemon.go 200: ${felixLines.starting}\n`;
  };
  const later = Date.parse(writtenAt) + 30_000;
  const context = {
    ...{ kube: Object.assign(store, { logs }), clock: { now: () => later }, signal: new AbortController().signal },
    ...{ runStartedAt: Date.parse(created), felixResource: resources.felixConfigurations },
  } as unknown as ConditionContext;
  return {
    progress: await agentsRestarted({ kind: 'agents-restarted', since: { target: felix, path } }, context),
    most,
  };
}

test('every agent that has started since the field was written counts; another one is waited for, and named', async () => {
  expect((await look(['a', 'b'])).progress.kind).toBe('met');
  expect((await look(['a', 'b'], ['b'])).progress).toMatchObject({ kind: 'waiting', heldUpBy: [{ name: 'b' }] });
});

test('on a big cluster several agents are read at a time, and not all at once', async () => {
  const { progress, most } = await look(Array.from({ length: 100 }, (_, at) => `n${at}`));
  expect(progress.kind).toBe('met');
  expect(most).toBe(8);
});
