import type { ChildProcess } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, test as anyTest, beforeAll, expect } from 'vitest';
import { attachInterface, attachSockets, loadDataPlane } from '#lib/node/bpf/index.ts';
import { canRunPrograms } from './testing/can-run-programs.ts';
import { iptablesRules, nftablesRules, type RuledService } from './testing/kube-proxy-rules.ts';
import type { LoadReport } from './testing/load-process.ts';
import { aNode, ended, objectFolder, outputUntil, program, startProcess } from './testing/node-process.ts';
import { type Topology, topology } from './testing/topology.ts';
import type { Load } from './testing/traffic.ts';
import { withinNetwork } from './testing/within-network.ts';

/**
 * What an administrator changes while 200 connections are in use and 1,000 a second begin (as many as a busy machine can): none is reset, and each new one gets
 * its answer. Clients are outside, in a pod that is served at its sockets, and in one that is served by packets; backends are on their node and on another one.
 */

const test = anyTest.runIf(canRunPrograms);

const nodes = ['node1', 'node2'] as const;
const pods = [
  { pod: 'near', node: 'node1' },
  { pod: 'by-sockets', node: 'node1' },
  { pod: 'by-packets', node: 'node1' },
  { pod: 'far', node: 'node2' },
];
const port = 8080;
const services = [
  { name: 'near', address: '10.96.0.10', port: 80, nodePort: 30_080 },
  { name: 'far', address: '10.96.0.11', port: 80, nodePort: 30_081 },
];
const perSecond = Number(process.env.SIGNALBOX_LOAD_PER_SECOND ?? 1000);

let net: Topology;
let objects: ReturnType<typeof objectFolder>;
let ruled: RuledService[];
let load: {
  readonly process: Load;
  readonly targets: readonly { to: string; port: number }[];
  readonly staying: number;
}[];
const agents = new Map<string, ChildProcess>();
const pinsOf = (node: string) => join(net.bpffs, `pins-${node}`);

beforeAll(async () => {
  if (!canRunPrograms) return;
  net = topology(nodes, pods);
  objects = objectFolder();
  for (const node of nodes) objects.write(`${node}.json`, aNode(node, Object.values(net.addresses(node))));
  for (const { name, address, nodePort } of services) writeService(name, address, nodePort);
  ruled = services.map((one) => ({ ...one, endpoints: [`${net.addresses(one.name).v4}:${port}`] }));
  // Each connection leaves its port in use for a minute where it was closed first.
  for (const place of ['client', 'by-sockets', 'by-packets'])
    net.on(place, 'sysctl', '-qw', 'net.ipv4.tcp_tw_reuse=1', 'net.ipv4.ip_local_port_range=1024 65000');
  for (const { name } of services) await net.load(name).ask({ do: 'echo', port });
  const inside = services.map(({ address }) => ({ to: address, port: 80 }));
  const outside = services.map(({ nodePort }) => ({ to: net.addresses('node1').v4, port: nodePort }));
  load = [
    { process: net.load('client'), targets: outside, staying: 50 },
    { process: net.load('by-sockets', 'in the group'), targets: inside, staying: 25 },
    { process: net.load('by-packets'), targets: inside, staying: 25 },
  ];
});

afterAll(async () => {
  for (const one of agents.values()) one.kill('SIGKILL');
  await Promise.all([...agents.values()].map(ended));
  await net?.close();
  objects?.close();
});

function writeService(name: string, clusterIP: string, nodePort: number): void {
  const namespace = 'shop';
  objects.write(`${name}.json`, {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { namespace, name },
    spec: { type: 'NodePort', clusterIP, ports: [{ name: 'http', protocol: 'TCP', port: 80, nodePort }] },
  });
  objects.write(`${name}-slice.json`, {
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    metadata: { namespace, name, labels: { 'kubernetes.io/service-name': name } },
    addressType: 'IPv4',
    endpoints: [{ addresses: [net.addresses(name).v4], nodeName: pods.find(({ pod }) => pod === name)?.node }],
    ports: [{ name: 'http', protocol: 'TCP', port }],
  });
}

const signalbox = (node: string, ...args: readonly string[]) =>
  startProcess(['ip', 'netns', 'exec', net.namespace(node), ...program.installed, 'node', ...args]);

const onEach = (act: (node: string) => Promise<unknown>) => Promise.all(nodes.map(act));

const attached = /programs are attached/;

async function start(node: string, until = attached, ...more: readonly string[]): Promise<void> {
  const agent = signalbox(
    node,
    ...['--from', objects.folder, '--node-name', node, '--pod-iface', 'near,far,by-*', '--cgroup', net.cgroup(node)],
    ...['--pins', pinsOf(node), '--without-policy', 'I-understand', '--health-port', 'none', ...more],
  );
  agents.set(node, agent);
  expect(await outputUntil(agent, until)).toMatch(until);
}

/** As long as kube-proxy does not run any more when it starts. */
async function takeOver(): Promise<void> {
  await onEach((node) => start(node, /rules were deleted/, '--kube-proxy-cleanup'));
  for (const node of nodes) {
    expect(net.on(node, 'iptables-nft-save')).not.toMatch(/KUBE-S/);
    expect(net.on(node, 'nft', 'list', 'tables')).not.toContain('kube-proxy');
  }
}

/** As a version would have it that takes other ports where two clients have the same one (remember() of bpf/translate.h). */
function anotherObject(): string {
  const built = readFileSync(join(import.meta.dirname, '../../bpf/built/signalbox.bpf.o'));
  // `r += 20000`, as an instruction.
  const [was, is] = [20_000, 30_000].map((first) => {
    const instruction = Buffer.from([0x07, 0, 0, 0, 0, 0, 0, 0]);
    instruction.writeInt32LE(first, 4);
    return instruction;
  }) as [Buffer, Buffer];
  expect(built.includes(was)).toBe(true);
  for (let at = built.indexOf(was); at !== -1; at = built.indexOf(was)) is.copy(built, at);
  const object = `${objects.folder}.object`;
  writeFileSync(object, built);
  return object;
}

function replacePrograms(node: string, object: string): void {
  const [maps, links] = ['maps', 'links'].map((folder) => join(pinsOf(node), folder)) as [string, string];
  const plane = loadDataPlane({ object, pins: maps });
  for (const link of ['eth0', ...pods.filter((one) => one.node === node).map(({ pod }) => pod)]) {
    const ifindex = net.ifindex(node, link);
    withinNetwork(net.namespace(node), () => attachInterface(plane, { ifindex, pins: links })());
  }
  attachSockets(plane, { cgroup: net.cgroup(node), pins: links })();
  plane.close();
}

async function stop(node: string, signal: NodeJS.Signals): Promise<void> {
  const agent = agents.get(node);
  if (!agent) return;
  agent.kill(signal);
  await ended(agent);
}

async function leave(node: string): Promise<string> {
  await stop(node, 'SIGTERM');
  const leaving = signalbox(node, 'leave', '--pins', pinsOf(node));
  return outputUntil(leaving, /are removed/);
}

async function underLoad(change: () => Promise<unknown>, clients = load): Promise<LoadReport[]> {
  await Promise.all(
    clients.map(({ process: of, targets, staying }) =>
      of.ask({ do: 'load', targets, staying, perSecond: (perSecond * staying) / 100 }),
    ),
  );
  await sleep(300);
  const begun = performance.now();
  await change();
  const took = performance.now() - begun;
  await sleep(300);
  const reports = (await Promise.all(clients.map(({ process: of }) => of.ask({ do: 'settle' })))).filter(
    (one) => one !== null,
  );
  const most = (field: 'worstEchoMs' | 'worstConnectionMs' | 'stalledMs') =>
    Math.round(Math.max(...reports.map((one) => one[field])));
  const all = (field: 'staying' | 'connections') => reports.reduce((sum, one) => sum + one[field], 0);
  console.log(
    `${all('staying')} connections stayed open and ${all('connections')} began; the change took ${Math.round(took)} ms. The longest gap was ${most('worstEchoMs')} ms, the longest new connection took ${most('worstConnectionMs')} ms; clients themselves stalled for up to ${most('stalledMs')} ms.`,
  );
  return reports;
}

const changes: readonly {
  readonly what: string;
  readonly before?: () => void;
  readonly change: () => Promise<unknown>;
}[] = [
  {
    what: "the services are taken over from kube-proxy's iptables rules",
    before: () => {
      for (const node of nodes)
        net.feed(node, iptablesRules(ruled, '10.89.0.0/16'), 'iptables-nft-restore', '--noflush');
    },
    change: takeOver,
  },
  {
    what: 'the agents are killed and started again',
    change: async () => {
      await onEach((node) => stop(node, 'SIGKILL'));
      await onEach((node) => start(node));
    },
  },
  {
    what: 'the programs are replaced by those of another object, and come back',
    change: async () => {
      const object = anotherObject();
      await onEach((node) => stop(node, 'SIGTERM'));
      for (const node of nodes) replacePrograms(node, object);
      rmSync(object);
      await onEach((node) => start(node));
    },
  },
  {
    what: 'answers go straight to their clients from now on',
    change: async () => {
      await onEach((node) => stop(node, 'SIGTERM'));
      await onEach((node) => start(node, attached, '--dsr'));
    },
  },
];

test.each(changes)('$what', async ({ before, change }) => {
  before?.();
  const reports = await underLoad(change);
  expect(reports.map(({ failures }) => failures)).toEqual([{}, {}, {}]);
  expect(reports.map(({ staying }) => staying)).toEqual([100, 50, 50]);
});

/** The one exception on the way back: what comes to a pod of another node through the tunnel. */
const withoutTunnel = () =>
  load.map((one, index) => (index === 0 ? { ...one, targets: one.targets.slice(0, 1), staying: 100 } : one));

test('the services go back to nftables rules of kube-proxy', async () => {
  for (const node of nodes) net.feed(node, nftablesRules(ruled, '10.89.0.0/16'), 'nft', '-f', '-');
  const through = { do: 'open', to: net.addresses('node1').v4, port: 30_081 } as const;
  expect(await net.at('client').ask(through)).toMatchObject({ error: null });
  let text = '';
  const reports = await underLoad(async () => {
    text = (await Promise.all(nodes.map(leave))).join('\n');
  }, withoutTunnel());
  expect(text).toMatch(/[1-9]\d* continue .* and [1-9]\d* end/);
  expect(reports.map(({ failures }) => failures)).toEqual([{}, {}, {}]);
});

test('the services are taken over from nftables rules of kube-proxy', async () => {
  const reports = await underLoad(takeOver);
  expect(reports.map(({ failures }) => failures)).toEqual([{}, {}, {}]);
});

test('the services go back to iptables rules of kube-proxy, and what ends is counted before anything is taken away', async () => {
  for (const node of nodes) net.feed(node, iptablesRules(ruled, '10.89.0.0/16'), 'iptables-nft-restore', '--noflush');
  const throughTunnel = net.load('client');
  const to = { to: net.addresses('node1').v4, port: 30_081 };
  await throughTunnel.ask({ do: 'load', targets: [to], staying: 20, perSecond: 0 });
  let texts: readonly string[] = [];
  const reports = await underLoad(async () => {
    texts = await Promise.all(nodes.map(leave));
  }, withoutTunnel());
  for (const text of texts) expect(text).toMatch(/\d+ continues? .* and 20 end\.\n(.*\n)*.*are removed/);
  expect(reports.map(({ failures }) => failures)).toEqual([{}, {}, {}]);
  const { failures = {} } = (await throughTunnel.ask({ do: 'settle' })) ?? {};
  expect(Object.entries(failures)).toEqual([[expect.stringMatching(/^staying 10\.88\.1\.2:30081 /), 20]]);
});
