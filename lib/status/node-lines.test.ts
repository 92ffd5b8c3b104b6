import { expect, test } from 'vitest';
import { type Kube, type KubeObject, systemClock } from '#lib/kube/index.ts';
import { names } from '#lib/spec/index.ts';
import { NodeLines } from './node-lines.ts';

const node: KubeObject = {
  apiVersion: 'v1',
  kind: 'Node',
  metadata: { name: 'worker-1', labels: { 'kubernetes.io/os': 'linux' } },
  status: { conditions: [{ type: 'Ready', status: 'True' }] },
};
const agent = (ready: boolean): KubeObject => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'calico-node-x', namespace: names.calicoNamespace, uid: 'x' },
  spec: { nodeName: 'worker-1', containers: [{ name: names.nodeContainer }] },
  status: {
    phase: 'Running',
    conditions: [{ type: 'Ready', status: ready ? 'True' : 'False' }],
    containerStatuses: [
      { name: names.nodeContainer, ready, state: { running: { startedAt: '2026-01-01T00:00:00Z' } } },
    ],
  },
});

/** The lines of a node whose agent is not ready yet, and whose log never arrives; with the pods whose logs were requested. */
function looked() {
  const readLogs: string[] = [];
  const kube = {
    logs: ({ name }: { name: string }) => {
      readLogs.push(name);
      return new Promise<string>(() => {});
    },
  } as unknown as Kube;
  const { signal } = new AbortController();
  const lines = new NodeLines({ kube, clock: systemClock, pace: systemClock, signal, moved: () => {} });
  lines.setNode(node);
  lines.setAgent(agent(false));
  lines.take();
  return { lines, readLogs };
}

test('an agent that has become ready since the last reading is read before no agent is reported', () => {
  const first = looked();
  expect([first.lines.isLooking(), first.lines.lookAgain()]).toEqual([false, false]);
  first.lines.setAgent(agent(true));
  expect(first.lines.lookAgain()).toBe(true);
  const second = looked();
  second.lines.setAgent(agent(true));
  expect(second.lines.isLooking()).toBe(true);
  expect(second.readLogs).toEqual(['calico-node-x']);
});

test('what was judged in between is told when the lines are taken, once', () => {
  const { lines } = looked();
  const before = lines.all();
  lines.setAgent(agent(true));
  lines.isLooking();
  expect(lines.take().changed).toEqual(lines.all());
  expect(lines.all()).not.toEqual(before);
  expect(lines.take()).toEqual({ changed: [], gone: [] });
});
