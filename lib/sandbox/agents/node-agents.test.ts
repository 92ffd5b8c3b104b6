import { afterEach, expect, test } from 'vitest';
import { felixLines, names, resources } from '#lib/spec/index.ts';
import { sixNodes } from '../templates/cluster-shape.ts';
import { openTestCluster, type TestCluster } from '../test-cluster.ts';
import { isReady, podShape } from '../workloads/shapes.ts';

let cluster: TestCluster;
afterEach(() => cluster?.close());

const proxies = { resource: resources.daemonSets, namespace: names.systemNamespace, name: names.kubeProxyDaemonSet };
const count = (text: string, line: string): number => text.split(line).length - 1;

async function run(app: string, command: string, node = 'worker-1') {
  const { name = '', namespace = '' } = (await cluster.podOn(node, app)).metadata;
  return cluster.kube.exec({ name, namespace, container: app }, command.split(' '));
}
const rules = async () => (await run('kube-proxy', 'iptables-save -t nat')).stdout;

test('an agent that runs on the standard data plane says that it started, and nothing about eBPF', async () => {
  cluster = await openTestCluster();
  const log = await cluster.agentLog('worker-1');
  expect(count(log, felixLines.starting)).toBe(1);
  expect(log).not.toContain('BPF');
});

test('bpfEnabled: the agent ends with 129 and starts again in its container, and says that eBPF is on', async () => {
  cluster = await openTestCluster();
  const before = await cluster.podOn('worker-1', names.nodeDaemonSet);
  await cluster.felix({ bpfEnabled: true });
  await cluster.clock.sleep(5_000);
  const log = await cluster.agentLog('worker-1');
  expect(log).toMatch(/rc=129\n.*Felix starting up/);
  expect(count(log, felixLines.starting)).toBe(2);
  expect(
    log
      .trimEnd()
      .split('\n')
      .filter((line) => line.includes(felixLines.bpfEnabled)),
  ).toHaveLength(1);
  const after = await cluster.podOn('worker-1', names.nodeDaemonSet);
  expect(after.metadata.name).toBe(before.metadata.name);
  expect(after.status).toEqual(before.status);
});

test('and back: a newer start without the line', async () => {
  cluster = await openTestCluster();
  await cluster.felix({ bpfEnabled: true });
  await cluster.clock.sleep(5_000);
  const offSince = new Date(cluster.clock.now()).toISOString();
  await cluster.felix({ bpfEnabled: false });
  await cluster.clock.sleep(5_000);
  const { name = '', namespace = '' } = (await cluster.podOn('worker-1', names.nodeDaemonSet)).metadata;
  const since = await cluster.kube.logs({ name, namespace }, { container: names.nodeContainer, sinceTime: offSince });
  expect(since).toContain(felixLines.starting);
  expect(since).not.toContain(felixLines.bpfEnabled);
});

test('a kernel below the floor: the refusal, as an error, and no eBPF', async () => {
  const nodes = sixNodes().map((node) => (node.name === 'worker-1' ? { ...node, kernel: '4.15.0-213-generic' } : node));
  cluster = await openTestCluster({ nodes });
  await cluster.felix({ bpfEnabled: true });
  await cluster.clock.sleep(5_000);
  const log = await cluster.agentLog('worker-1');
  expect(log).toContain(`[ERROR]`);
  expect(log).toContain(felixLines.bpfRefused);
  expect(log).not.toContain(felixLines.bpfEnabled);
  expect((await run('calico-node', 'calico-node -bpf nat dump')).exitCode).toBe(1);
  expect(await cluster.agentLog('worker-2')).toContain(felixLines.bpfEnabled);
});

test('with the log severity at Warning neither start nor eBPF is told; a refusal still is', async () => {
  const nodes = sixNodes().map((node) => (node.name === 'worker-2' ? { ...node, kernel: '4.15.0-213-generic' } : node));
  cluster = await openTestCluster({ nodes });
  await cluster.felix({ logSeverityScreen: 'Warning' });
  await cluster.clock.sleep(5_000);
  const quietSince = new Date(cluster.clock.now()).toISOString();
  await cluster.felix({ bpfEnabled: true });
  await cluster.clock.sleep(5_000);
  const since = async (node: string) => {
    const { name = '', namespace = '' } = (await cluster.podOn(node, names.nodeDaemonSet)).metadata;
    return cluster.kube.logs({ name, namespace }, { container: names.nodeContainer, sinceTime: quietSince });
  };
  expect(await since('worker-1')).not.toContain('[INFO]');
  expect(await since('worker-2')).toContain(felixLines.bpfRefused);
});

test('a configuration of one node beats the default there alone', async () => {
  cluster = await openTestCluster();
  await cluster.felix({ bpfEnabled: true }, 'node.worker-1');
  await cluster.clock.sleep(5_000);
  expect(await cluster.agentLog('worker-1')).toContain(felixLines.bpfEnabled);
  expect(await cluster.agentLog('worker-2')).not.toContain(felixLines.bpfEnabled);
});

test("eBPF with cleanup deletes kube-proxy's rules although it runs; without cleanup both live side by side", async () => {
  cluster = await openTestCluster();
  expect(await rules()).toContain('-A KUBE-SERVICES');
  await cluster.felix({ bpfEnabled: true });
  await cluster.clock.sleep(5_000);
  expect(await rules()).not.toContain('KUBE-SERVICES');
  await cluster.felix({ bpfKubeProxyIptablesCleanupEnabled: false });
  await cluster.clock.sleep(5_000);
  expect(await rules()).toContain('-A KUBE-SERVICES');
  expect((await run('calico-node', 'calico-node -bpf nat dump')).stdout).toContain('10.96.0.10 port 53 proto 17');
});

test('kube-proxy that comes back after its rules were deleted needs a moment until they are there', async () => {
  cluster = await openTestCluster();
  const selector = (value: string | null) => ({
    type: 'merge' as const,
    body: { spec: { template: { spec: { nodeSelector: { 'non-calico': value } } } } },
  });
  await cluster.felix({ bpfEnabled: true });
  await cluster.kube.patch(proxies, selector('true'));
  await cluster.clock.sleep(5_000);
  await cluster.felix({ bpfEnabled: false });
  await cluster.clock.sleep(5_000);
  await cluster.kube.patch(proxies, selector(null));
  const states: string[] = [];
  for (let tick = 0; tick < 100; tick++) {
    await cluster.clock.sleep(20);
    const pod = await cluster.podOn('worker-1', 'kube-proxy').catch(() => null);
    if (pod && isReady(podShape.parse(pod)))
      states.push((await rules()).includes('KUBE-SERVICES') ? 'rules' : 'no rules');
  }
  expect(states.filter((each, index) => each !== states[index - 1])).toEqual(['no rules', 'rules']);
});

test('IPVS: virtual servers and the device are there, and stay when the mode changes', async () => {
  cluster = await openTestCluster({ proxy: { mode: 'ipvs', turnedOff: false } });
  const { stdout } = await run('kube-proxy', 'cat /proc/net/dev /proc/net/ip_vs');
  expect(stdout).toContain('\nkube-ipvs0:');
  expect(stdout).toContain('\nTCP  0A600001:01BB');
  // IPVS' nat table marks packets by sets, and has no chain for a single Service.
  expect(await rules()).toContain('--match-set KUBE-CLUSTER-IP');
  expect(await rules()).not.toContain('KUBE-SVC-');
});

test('a request that agents cannot answer is an error of the API', async () => {
  cluster = await openTestCluster();
  const { name = '', namespace = '' } = (await cluster.podOn('worker-1', names.nodeDaemonSet)).metadata;
  const pod = { name, namespace };
  await expect(cluster.kube.logs(pod, { container: 'nobody' })).rejects.toMatchObject({ code: 'invalid' });
  await expect(cluster.kube.logs(pod, { container: names.nodeContainer, previous: true })).rejects.toMatchObject({
    code: 'invalid',
  });
  await expect(cluster.kube.logs({ name: 'gone', namespace }, { container: 'x' })).rejects.toMatchObject({
    code: 'not-found',
  });
  expect(await cluster.kube.podGet({ ...pod, port: 9099, path: '/readyz' })).toMatchObject({ status: 404 });
  expect((await run('calico-node', 'rm -rf /')).exitCode).toBe(127);
});
