import { readFileSync } from 'node:fs';
import { afterAll, test as anyTest, beforeAll, expect } from 'vitest';
import { containerLog, type KubeObject } from '#e2e/controlplane/index.ts';
import { canPlayNodes, type Fabric, fabric, listener } from '#e2e/probe/index.ts';
import type { Findings } from '#lib/checks/index.ts';
import { probeNames } from '#lib/probe/index.ts';
import { type CalicoCluster, startCalicoCluster } from './testing/calico-cluster.ts';
import { eventually } from './testing/eventually.ts';
import { mustSignalbox, signalbox } from './testing/signalbox-process.ts';

/** `signalbox preflight` on a real API server. Its pods run as the DaemonSets say, in network namespaces of this kernel, one a node. */
const test = anyTest.runIf(canPlayNodes);
const names = ['control-1', 'worker-1', 'worker-2', 'worker-3'];
const endpoint = { host: '10.77.1.1', port: '6443' };
const asked = ['--endpoint', `${endpoint.host}:${endpoint.port}`];

let cluster: CalicoCluster;
let net: Fabric;
let server: { close(): void };
let kubelet: NodeJS.Timeout;

beforeAll(async () => {
  if (!canPlayNodes) return;
  net = fabric(names.map((name, index) => ({ name, network: index + 1 })));
  server = await listener(net, 6443);
  const nodes = names.map((name, index) => ({
    name,
    number: index + 1,
    role: index === 0 ? ('control-plane' as const) : ('worker' as const),
    address: net.address(name),
  }));
  cluster = await startCalicoCluster({ nodes });
  const bootID = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  for (const name of names)
    await cluster.plane.api.patch(`/api/v1/nodes/${name}/status`, { status: { nodeInfo: { bootID } } });
  kubelet = playKubelet();
});

afterAll(async () => {
  clearInterval(kubelet);
  server?.close();
  net?.close();
  await cluster?.stop();
});

type Container = { name: 'probe' | 'probe-pod'; command: string[]; env: { name: string; value?: string }[] };
const containerOf = (daemonSet: KubeObject) =>
  (daemonSet.spec as { template: { spec: { containers: [Container] } } }).template.spec.containers[0];

/** Runs what each new DaemonSet of the probe says, on every node. */
function playKubelet(): NodeJS.Timeout {
  const known = new Set<string>();
  return setInterval(async () => {
    const path = `/apis/apps/v1/namespaces/${probeNames.namespace}/daemonsets`;
    for (const daemonSet of await cluster.plane.api.list(path).catch(() => [])) {
      const { uid = '' } = daemonSet.metadata;
      if (known.has(uid)) continue;
      known.add(uid);
      const { name, command, env } = containerOf(daemonSet);
      const pod = {
        script: command.at(-1) ?? '',
        env: Object.fromEntries(env.map((one) => [one.name, one.value ?? ''])),
      };
      for (const node of names) {
        const log = containerLog(cluster.plane.dir, node, name);
        log.startAnew();
        let rest = '';
        net.runs(node, pod, (text) => {
          const lines = (rest + text).split('\n');
          rest = lines.pop() ?? '';
          for (const line of lines) log.append(line);
        });
      }
    }
  }, 300);
}

const namespaceThere = () =>
  cluster.plane.api.get(`/api/v1/namespaces/${probeNames.namespace}`).then(
    () => true,
    () => false,
  );

async function statuses(...ids: string[]): Promise<string[]> {
  const { out } = await signalbox(cluster.desk, ['check', ...asked, '-o', 'json']);
  const { findings } = JSON.parse(out) as Findings;
  return ids.map((id) => `${id} ${findings.find((one) => one.id === id)?.status}`);
}

const measured = [
  'node.bpf-loads',
  'node.mounts',
  'node.interfaces',
  'feature.vlan-devices',
  'network.vxlan-between-nodes',
  'network.mtu',
];

test('four nodes that are fine: what was unknown passes, and nothing of it is left', async () => {
  expect(await statuses(...measured)).toEqual(measured.map((id) => `${id} unknown`));
  const begin = performance.now();
  const { out } = await mustSignalbox(cluster.desk, ['preflight', ...asked, '--yes', '-o', 'json']);
  console.log(`preflight of ${names.length} nodes: ${Math.round((performance.now() - begin) / 1000)} s`);
  const { nodes } = JSON.parse(out) as { nodes: { node: string; tests: Record<string, { kind: string }> }[] };
  expect(nodes.map(({ node }) => node).sort()).toEqual(names);
  expect(
    nodes
      .flatMap(({ node, tests }) => Object.entries(tests).map(([id, { kind }]) => `${node} ${id} ${kind}`))
      .filter((one) => !one.endsWith(' passed')),
  ).toEqual([]);
  expect(await statuses(...measured)).toEqual(measured.map((id) => `${id} pass`));
  await eventually('the namespace to be gone', async () => !(await namespaceThere()));
});

test('a node whose firewall lets no VXLAN in is named, and what a killed preflight left is removed first', async () => {
  net.on('worker-2', 'iptables', '-A', 'INPUT', '-p', 'udp', '--dport', '4789', '-j', 'DROP');
  await mustSignalboxKept();
  expect(await namespaceThere()).toBe(true);
  const { code, out } = await signalbox(cluster.desk, ['preflight', ...asked, '--yes']);
  expect([code, out]).toEqual([3, expect.stringMatching(/worker-2\s+FAILED\s+nothing arrives there from any node/)]);
  expect(await statuses('network.vxlan-between-nodes')).toEqual(['network.vxlan-between-nodes fail']);
});

/** As after kill -9: everything stays. */
const mustSignalboxKept = () => signalbox(cluster.desk, ['preflight', ...asked, '--yes', '--keep']);
