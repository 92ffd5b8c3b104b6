import { afterAll, beforeAll, expect, test } from 'vitest';
import { unexpectedDials } from '#e2e/controlplane/index.ts';
import { type CalicoCluster, isSettled, startCalicoCluster } from './testing/calico-cluster.ts';
import { comesBackTo } from './testing/comes-back.ts';
import { contentsOf } from './testing/contents.ts';
import { eventually } from './testing/eventually.ts';
import { holdNode, letNodeGo } from './testing/hold-node.ts';
import { openOperations } from './testing/journal.ts';
import { readyAnswers } from './testing/ready-answers.ts';
import { mustSignalbox, type Running, startSignalbox } from './testing/signalbox-process.ts';
import { clusterWrites, inShort, type Wire, type Write, wireTo } from './testing/wire.ts';

/**
 * SIGKILL at the five critical points of a run, one after the other, and then during the undo: each time the same command continues the run.
 * A proxy between the processes and the API server records the writes, and cuts the connection at the exact point.
 */
let cluster: CalicoCluster;
let wire: Wire;

beforeAll(async () => {
  cluster = await startCalicoCluster({ like: 'v3.31.4', nodes: 4 });
  wire = await wireTo(cluster.plane, 'wire');
});

afterAll(async () => {
  wire?.close();
  await cluster?.stop();
});

const toSwitch = ({ path, method }: Write) => method === 'PATCH' && path.endsWith('/installations/default');
const toProxy = ({ path, method }: Write) => method === 'PATCH' && path.endsWith('/daemonsets/kube-proxy');
const toOperator = ({ path, method }: Write) => method === 'PATCH' && path.endsWith('/deployments/tigera-operator');

test('a run that is killed before and after the switch, while nodes move, and before and after the proxy, goes on each time; nothing is done twice', async () => {
  const workplace = { ...cluster.workplace, kubeconfig: wire.kubeconfig };
  const before = await contentsOf(cluster.kube);
  await mustSignalbox(workplace, ['plan', ...readyAnswers(), '--out', 'plan.json', '-q']);
  const apply = () => startSignalbox(workplace, ['apply', 'plan.json', '--yes', '-o', 'json']);

  const beforeSwitch = apply();
  wire.cutBefore(toSwitch, () => beforeSwitch.signal('SIGKILL'));
  await killed(beforeSwitch, 'switch.bpf');
  expect(await dataplane()).toBe('Iptables');

  // Between two processes the nodes would move on by themselves, and the next one would find them there.
  await holdNode(cluster.plane, 'worker-1');
  const afterSwitch = apply();
  wire.cutAfter(toSwitch, () => afterSwitch.signal('SIGKILL'));
  await killed(afterSwitch, 'switch.bpf');
  expect(await dataplane()).toBe('BPF');

  const moving = apply();
  await moving.event(
    'nodes move',
    ({ event, data }) => event === 'operation' && data.id === 'bpf.active' && data.state === 'waiting',
  );
  moving.signal('SIGKILL');
  await killed(moving, 'bpf.active');
  await letNodeGo(cluster.plane, 'worker-1');

  const beforeProxy = apply();
  wire.cutBefore(toProxy, () => beforeProxy.signal('SIGKILL'));
  await killed(beforeProxy, 'proxy.disable.daemonset');
  expect(await proxySelector()).not.toHaveProperty('non-calico');

  const afterProxy = apply();
  wire.cutAfter(toProxy, () => afterProxy.signal('SIGKILL'));
  await killed(afterProxy, 'proxy.disable.daemonset');
  expect(await proxySelector()).toHaveProperty('non-calico', 'true');

  const last = await apply().ended;
  expect(last).toMatchObject({ code: 0, err: expect.stringContaining('is done') });
  expect(clusterWrites(wire.writes).map(inShort)).toEqual([
    'PATCH deployments/tigera-operator',
    'PATCH configmaps/kubernetes-services-endpoint',
    'PATCH deployments/tigera-operator',
    'PATCH felixconfigurations/default',
    'PATCH installations/default',
    'PATCH daemonsets/kube-proxy',
    'PATCH felixconfigurations/default',
  ]);
  expect(await runs()).toHaveLength(1);

  const forth = wire.writes.length;
  const undo = (...words: string[]) => startSignalbox(workplace, [...words, '--yes', '-o', 'json']);
  const proxyBack = undo('undo');
  wire.cutAfter(toProxy, () => proxyBack.signal('SIGKILL'));
  await killed(proxyBack, 'proxy.disable.daemonset');
  const switchBack = undo('undo');
  wire.cutBefore(toSwitch, () => switchBack.signal('SIGKILL'));
  await killed(switchBack, 'switch.bpf');
  const operatorBack = undo('undo');
  wire.cutAfter(toOperator, () => operatorBack.signal('SIGKILL'));
  await killed(operatorBack, 'operator.dns');
  expect(await undo('undo').ended).toMatchObject({ code: 0, err: expect.stringContaining('was undone') });
  expect(clusterWrites(wire.writes.slice(forth)).map(inShort)).toEqual([
    'PATCH felixconfigurations/default',
    'PATCH daemonsets/kube-proxy',
    'PATCH installations/default',
    'PATCH felixconfigurations/default',
    'PATCH deployments/tigera-operator',
    'DELETE configmaps/kubernetes-services-endpoint',
    'PATCH deployments/tigera-operator',
    'PATCH deployments/tigera-operator',
  ]);
  await eventually('Calico to stand still', () => isSettled(cluster.plane));
  await comesBackTo(before, () => contentsOf(cluster.kube));
});

test('nothing tried to leave the plane', () => {
  expect(unexpectedDials(cluster.plane.egressLog())).toEqual([]);
});

/** The process is gone by our signal, in the middle of this operation. */
async function killed(process: Running, operation: string): Promise<void> {
  const { code, err } = await process.ended;
  expect({ code, err }).toMatchObject({ code: null });
  expect(await openOperations(cluster.kube)).toEqual([operation]);
}

async function dataplane(): Promise<unknown> {
  const { spec } = await cluster.plane.api.get('/apis/operator.tigera.io/v1/installations/default');
  return (spec as { calicoNetwork: { linuxDataplane: string } }).calicoNetwork.linuxDataplane;
}

async function proxySelector(): Promise<Record<string, string>> {
  const { spec } = await cluster.plane.api.get('/apis/apps/v1/namespaces/kube-system/daemonsets/kube-proxy');
  return (spec as { template: { spec: { nodeSelector: Record<string, string> } } }).template.spec.nodeSelector;
}

async function runs(): Promise<unknown[]> {
  const { out } = await mustSignalbox(cluster.workplace, ['runs', '-o', 'json']);
  return (JSON.parse(out) as { runs: unknown[] }).runs;
}
