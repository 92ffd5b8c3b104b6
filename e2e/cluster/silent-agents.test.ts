import { afterAll, beforeAll, expect, test } from 'vitest';
import { unexpectedDials } from '#e2e/controlplane/index.ts';
import { agentMark } from '#lib/sandbox/parts.ts';
import { type CalicoCluster, isSettled, startCalicoCluster } from './testing/calico-cluster.ts';
import { comesBackTo } from './testing/comes-back.ts';
import { contentsOf } from './testing/contents.ts';
import { eventually } from './testing/eventually.ts';
import { readyAnswers } from './testing/ready-answers.ts';
import { mustSignalbox, signalbox, startSignalbox } from './testing/signalbox-process.ts';

/** Proof of a node: an agent that refuses eBPF is named and stops the run. A node whose agent logs nothing is unknown, never proven, and can be accepted. */
let cluster: CalicoCluster;

beforeAll(async () => {
  cluster = await startCalicoCluster({ nodes: 2 });
});

afterAll(async () => {
  await cluster?.stop();
});

test('a node whose agent refuses eBPF is named with its kernel, undo is offered, and undo works', async () => {
  await annotate('worker-1', { [agentMark]: 'refuses' });
  const before = await contentsOf(cluster.kube);
  const apply = startSignalbox(cluster.workplace, ['apply', ...readyAnswers(), '--yes', '-o', 'json']);
  const { code, err } = await apply.ended;
  expect(code).toBe(4);
  expect(err).toMatch(/worker-1/);
  expect(err).toMatch(/undo it: `signalbox undo /);
  const problem = apply.events().find(({ event }) => event === 'problem');
  expect(problem?.data).toMatchObject({
    code: 'node.refuses-bpf',
    subjects: [{ kind: 'Node', name: 'worker-1', detail: expect.stringContaining('6.8.0-45-generic') }],
    choices: expect.arrayContaining(['undo']),
  });
  expect(await desiredProxies()).toBe(2);

  await mustSignalbox(cluster.workplace, ['undo', '--yes']);
  await eventually('Calico to stand still', () => isSettled(cluster.plane));
  await comesBackTo(before, () => contentsOf(cluster.kube));
  await annotate('worker-1', { [agentMark]: null });
});

test('agents that log above Info and show no maps are unknown: the run pauses, and goes on when that is accepted', async () => {
  await cluster.plane.api.patch('/apis/crd.projectcalico.org/v1/felixconfigurations/default', {
    spec: { logSeverityScreen: 'Warning' },
  });
  await annotate('worker-1', { [agentMark]: 'silent' });
  const apply = startSignalbox(cluster.workplace, ['apply', ...readyAnswers(), '--yes', '-o', 'json']);
  expect(await apply.ended).toMatchObject({ code: 4, err: expect.stringContaining('--acknowledge') });
  const nodes = new Map(
    apply.events().flatMap((each) => (each.event === 'node' ? [[each.data.name, each.data] as const] : [])),
  );
  expect(nodes.get('control-1')).toMatchObject({ state: 'proven', detail: 'Services are in its eBPF maps' });
  expect(nodes.get('worker-1')).toMatchObject({
    state: 'unknown',
    detail: expect.stringContaining('Warning, above Info'),
  });
  expect(await desiredProxies()).toBe(2);

  const resume = await signalbox(cluster.workplace, ['resume', '--acknowledge', 'bpf.active=seen on the node itself']);
  expect(resume).toMatchObject({ code: 0, err: expect.stringContaining('is done') });
  expect(await desiredProxies()).toBe(0);
  const { out } = await mustSignalbox(cluster.workplace, ['report']);
  expect(out).toContain('seen on the node itself');
});

test('nothing tried to leave the plane', () => {
  expect(unexpectedDials(cluster.plane.egressLog())).toEqual([]);
});

async function annotate(name: string, annotations: Readonly<Record<string, string | null>>): Promise<void> {
  await cluster.plane.api.patch(`/api/v1/nodes/${name}`, { metadata: { annotations } });
}

async function desiredProxies(): Promise<number> {
  const { status } = await cluster.plane.api.get('/apis/apps/v1/namespaces/kube-system/daemonsets/kube-proxy');
  return (status as { desiredNumberScheduled: number }).desiredNumberScheduled;
}
