import type { ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { afterAll, test as anyTest, beforeAll, expect } from 'vitest';
import { canRunPrograms } from './testing/can-run-programs.ts';
import { framesOf } from './testing/frames.ts';
import { aNode, ended, objectFolder, outputUntil, program, startProcess } from './testing/node-process.ts';
import { type Topology, topology } from './testing/topology.ts';
import { families } from './testing/two-nodes.ts';
import { type Wire, wire } from './testing/wire.ts';

/** Nodes with several addresses of a family: what is served at each of them, and between which of them packets travel. */

const test = anyTest.runIf(canRunPrograms);

const nodes = ['node1', 'node2'] as const;
const pods = [
  { pod: 'pod-a', node: 'node1' },
  { pod: 'pod-c', node: 'node2' },
];
const nodePort = 30080;

let net: Topology;
let objects: ReturnType<typeof objectFolder>;
let ofNode2: Wire;
const agents: ChildProcess[] = [];

/** The node's further addresses: `3` is in its Node object, `4` only on its interface. */
const further = (node: string, host: 3 | 4) => {
  const { v4, v6 } = net.addresses(node);
  return { v4: v4.replace(/2$/, String(host)), v6: v6.replace(/2$/, String(host)) };
};

/** Of node1: where hosts announce their own address by BGP, it is there, and on no interface of the network. */
const onLoopback = { v4: '10.77.0.1', v6: 'fd77::1' } as const;

beforeAll(async () => {
  if (!canRunPrograms) return;
  net = topology(nodes, pods);
  objects = objectFolder();
  ofNode2 = wire(net, 'node2', 'eth0');
  for (const node of nodes)
    for (const { v4, v6 } of [further(node, 3), further(node, 4)]) {
      net.on(node, 'ip', 'addr', 'add', `${v4}/24`, 'dev', 'eth0');
      net.on(node, 'ip', 'addr', 'add', `${v6}/64`, 'dev', 'eth0', 'nodad');
    }
  for (const family of families) {
    const prefix = `${onLoopback[family]}/${family === 'v4' ? 32 : 128}`;
    net.on('node1', 'ip', 'addr', 'add', prefix, 'dev', 'lo');
    net.on('router', 'ip', 'route', 'add', prefix, 'via', net.addresses('node1')[family]);
  }
  for (const { pod } of pods) await net.at(pod).ask({ do: 'serve', name: pod, port: 8080 });
  await net.at('node2').ask({ do: 'serve', name: 'node2', port: 8080 });
  const addressesOf = (...all: readonly { v4: string; v6: string }[]) => all.flatMap(({ v4, v6 }) => [v4, v6]);
  // node1 is known by another one than its routes prefer.
  objects.write('node1.json', aNode('node1', addressesOf(further('node1', 3), net.addresses('node1'))));
  objects.write('node2.json', aNode('node2', addressesOf(net.addresses('node2'), further('node2', 3))));
  for (const family of families) serve(family);
  await Promise.all([
    start('node1', []),
    start('node2', ['--nodeport-addresses', `${further('node2', 3).v4}/32,${further('node2', 3).v6}/128`]),
  ]);
});

afterAll(async () => {
  for (const one of agents) one.kill('SIGKILL');
  await Promise.all(agents.map(ended));
  ofNode2?.close();
  await net?.close();
  objects?.close();
});

const serviceOf = (family: 'v4' | 'v6') => ({ v4: '10.96.0.10', v6: 'fd96::10' })[family];

function serve(family: 'v4' | 'v6'): void {
  const ports = [
    { name: 'stream', protocol: 'TCP', port: 80, nodePort },
    { name: 'datagrams', protocol: 'UDP', port: 80, nodePort },
  ];
  objects.write(`service-${family}.json`, {
    ...{ apiVersion: 'v1', kind: 'Service', metadata: { namespace: 'shop', name: family } },
    spec: { type: 'NodePort', clusterIP: serviceOf(family), clusterIPs: [serviceOf(family)], ports },
  });
  backedBy(family, 'pod-c', net.addresses('pod-c')[family]);
}

function backedBy(family: 'v4' | 'v6', place: string, address: string): void {
  const nodeName = pods.find(({ pod }) => pod === place)?.node ?? place;
  objects.write(`slice-${family}.json`, {
    ...{ apiVersion: 'discovery.k8s.io/v1', kind: 'EndpointSlice' },
    metadata: { namespace: 'shop', name: family, labels: { 'kubernetes.io/service-name': family } },
    addressType: family === 'v4' ? 'IPv4' : 'IPv6',
    endpoints: [{ addresses: [address], nodeName }],
    ports: [
      { name: 'stream', protocol: 'TCP', port: 8080 },
      { name: 'datagrams', protocol: 'UDP', port: 8080 },
    ],
  });
}

async function start(node: string, more: readonly string[]): Promise<void> {
  const agent = startProcess([
    ...['ip', 'netns', 'exec', net.namespace(node), ...program.installed, 'node'],
    ...['--from', objects.folder, '--node-name', node, '--pod-iface', 'pod-*', '--without-policy', 'I-understand'],
    ...['--cgroup', net.cgroup(node), '--pins', join(net.bpffs, `pins-${node}`), ...more],
  ]);
  agents.push(agent);
  expect(await outputUntil(agent, /programs are attached/)).toContain('programs are attached');
}

const byTcpOf = (client: string, to: string) => net.at(client).ask({ do: 'tcp', to, port: nodePort, bytes: 20_000 });
const byTcp = (to: string) => byTcpOf('client', to);
const byDatagrams = (to: string) =>
  net.at('client').ask({ do: 'udp', to, port: nodePort, socket: 'connected', times: 2 });

/** `from > to` of each way that packets of the tunnel took at node2 since the last call. */
function tunnelled(family: 'v4' | 'v6'): string[] {
  const seen = framesOf(ofNode2.taken()).filter((one) => one.family === family && one.inside !== null);
  return [...new Set(seen.map(({ source, destination }) => `${source} > ${destination}`))].sort();
}

test.each(families)('a NodePort answers at every address of its node (%s), and as that one', async (family) => {
  const node1 = [net.addresses('node1'), further('node1', 3), further('node1', 4)];
  for (const { [family]: address } of node1) {
    const all = { error: null, seen: net.addresses('client')[family], peer: address };
    expect(await byTcp(address), address).toEqual({ ...all, servers: ['pod-c'] });
    expect(await byDatagrams(address), address).toEqual({ ...all, servers: ['pod-c', 'pod-c'] });
  }
});

test.each(families)('a NodePort answers at an address on the loopback interface of its node (%s)', async (family) => {
  const address = onLoopback[family];
  expect(await byTcp(address)).toEqual({
    ...{ error: null, servers: ['pod-c'] },
    ...{ seen: net.addresses('client')[family], peer: address },
  });
});

test.each(families)('a node reaches its own backend by an address that only another node has (%s)', async (family) => {
  const { [family]: address } = further('node1', 4);
  expect(await byTcpOf('node2', address)).toMatchObject({ error: null, servers: ['pod-c'], peer: address });
});

test.each(families)(
  'nodes are joined by the first address that each names (%s), whichever was asked',
  async (family) => {
    tunnelled(family);
    for (const { [family]: address } of [net.addresses('node1'), further('node1', 3), further('node1', 4)])
      expect((await byTcp(address)).servers).toEqual(['pod-c']);
    const [one, other] = [further('node1', 3)[family], net.addresses('node2')[family]];
    expect(tunnelled(family)).toEqual([`${one} > ${other}`, `${other} > ${one}`].sort());
  },
);

test.each(families)('a backend at a further address of another node (%s) is reached', async (family) => {
  const [asked, service] = [net.addresses('node1')[family], serviceOf(family)];
  backedBy(family, 'node2', further('node2', 3)[family]);
  try {
    // Not by datagrams: a process that listens at every address answers as the one that its routes prefer.
    await expect.poll(async () => (await byTcp(asked)).servers).toEqual(['node2']);
    const all = { error: null, servers: ['node2'] };
    expect(await byTcp(asked)).toEqual({ ...all, seen: net.addresses('client')[family], peer: asked });
    // The answer above tells that node2 knows of it, and not that node1 does.
    const fromPod = () => net.at('pod-a').ask({ do: 'tcp', to: service, port: 80, bytes: 20_000 });
    await expect.poll(fromPod).toMatchObject({ ...all, peer: service });
  } finally {
    backedBy(family, 'pod-c', net.addresses('pod-c')[family]);
  }
  await expect.poll(async () => (await byTcp(asked)).servers).toEqual(['pod-c']);
});

test.each(families)('where NodePorts are for one address (%s), the others of that node have none', async (family) => {
  const [here, first, extra] = [further('node2', 3), net.addresses('node2'), further('node2', 4)];
  expect(await byTcp(here[family])).toMatchObject({ error: null, servers: ['pod-c'], peer: here[family] });
  for (const { [family]: address } of [first, extra])
    expect(await byTcp(address), address).toMatchObject({ error: 'ECONNREFUSED' });
});

test('load balancers are told at every address', () => {
  const status = (address: string) =>
    net.on(
      'client',
      process.execPath,
      '-e',
      `fetch('http://${address.includes(':') ? `[${address}]` : address}:10256/healthz').then(({ status }) => console.log(status), () => console.log('nobody'))`,
    );
  for (const node of nodes)
    for (const all of [net.addresses(node), further(node, 3), further(node, 4)])
      for (const address of Object.values(all)) expect([address, status(address)]).toEqual([address, '200\n']);
});
