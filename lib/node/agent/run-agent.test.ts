import { once } from 'node:events';
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import { testFolder } from '#lib/folders/testing/test-folder.ts';
import { systemClock } from '#lib/kube/index.ts';
import { type Resource, resources } from '#lib/spec/index.ts';
import { configFlags, type Flow, flowTypes, protocols, routeFlags, tcpSeen } from '../bpf/index.ts';
import { mapsInMemory } from '../bpf/testing/maps-in-memory.ts';
import { PacketDevices } from '../host/packet-devices.ts';
import { folderSource } from '../source/folder-source.ts';
import { type NodeSource, type SourceSink, sourceKinds, sourceResources } from '../source/source.ts';
import type { AgentOptions } from './agent-options.ts';
import { runAgent } from './run-agent.ts';

const ends: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

const service = (spec: object = {}) => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { namespace: 'shop', name: 'web' },
  spec: { type: 'ClusterIP', clusterIP: '10.96.0.7', ports: [{ name: 'http', protocol: 'TCP', port: 80 }], ...spec },
});
const slice = (...addresses: string[]) => ({
  apiVersion: 'discovery.k8s.io/v1',
  kind: 'EndpointSlice',
  metadata: { namespace: 'shop', name: 'web-1', labels: { 'kubernetes.io/service-name': 'web' } },
  addressType: 'IPv4',
  endpoints: addresses.map((address) => ({ addresses: [address], nodeName: 'node-1', conditions: { ready: true } })),
  ports: [{ name: 'http', protocol: 'TCP', port: 8080 }],
});
const node = (taints: object[] = []) => ({
  apiVersion: 'v1',
  kind: 'Node',
  metadata: { name: 'node-1' },
  spec: { taints },
  status: { addresses: [{ type: 'InternalIP', address: '192.168.0.1' }] },
});
const policy = {
  apiVersion: 'networking.k8s.io/v1',
  kind: 'NetworkPolicy',
  metadata: { namespace: 'shop', name: 'deny' },
  spec: { podSelector: {} },
};

function start(
  objects: Record<string, object>,
  more: Partial<AgentOptions> = {},
  links: readonly string[] | null = null,
  attaching: (ifindex: number) => void = () => {},
) {
  const folder = testFolder('node');
  const beside = testFolder('node-beside');
  mkdirSync(folder, { recursive: true });
  const write = (name: string, content: object | string) => {
    // Renamed into place, as ConfigMaps do, so that a reader never sees half a file.
    const path = join(beside, name);
    writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
    renameSync(path, join(folder, name));
  };
  for (const [name, object] of Object.entries(objects)) write(name, object);
  const order: string[] = [];
  const maps = mapsInMemory(({ map, kind }) => order.push(`${map} ${kind}`));
  const listening = new Map<string, number>();
  const stop = new AbortController();
  const lines: string[] = [];
  /** A host with network interfaces and one pod. */
  const packets = (links: readonly string[]): AgentOptions['packets'] => ({
    ofPods: true,
    dsr: { throughTunnel: ['203.0.113.0/24'] },
    devices: (nodeIps) =>
      new PacketDevices({
        choice: { network: 'found', pods: ['cali*'] },
        interfaces: maps.interfaces,
        attach: (ifindex) => {
          attaching(ifindex);
          order.push(`attach ${ifindex}`);
          return () => {};
        },
        detach: () => {},
        isAttached: () => true,
        nodeIps,
        log: (line) => lines.push(line),
        host: {
          links: () =>
            links.map((name, at) => ({
              ...{ name, ifindex: at + 2, mac: '02:00:00:00:00:01', mtu: 1500, isUp: true, kind: 'plain' },
            })),
          names: () => links,
          routes: () => ({ v4: 'cali1\t0201000A\t00000000\t0005\t0\t0\t0\tFFFFFFFF\t0\t0\t0', v6: '' }),
          neighbours: () => [],
        },
      }),
  });
  const running = runAgent(
    {
      source: folderSource(folder, systemClock),
      maps,
      counts: (rows) => new Map(rows.map((row) => [row, row === 2 ? { forwarded: 7, noBackend: 1 } : {}])),
      attach: () => {
        order.push('attach');
        return () => order.push('detach');
      },
      isAttached: () => true,
      onceAloneWhen: 'asked',
      packets: links === null ? null : packets(links),
      nodeName: 'node-1',
      nodeIps: ['192.168.0.1'],
      nodePorts: 'all',
      withoutPolicy: 'refuse',
      foreignRules: async () => null,
      lacks: [],
      minSyncMs: 1,
      own: { host: '127.0.0.1', port: 0 },
      healthPort: 0,
      clock: systemClock,
      log: (line) => lines.push(line),
      hostAddresses: () => ['192.168.0.1'],
      listening: (what, port) => listening.set(what, port),
      ...more,
    },
    stop.signal,
  );
  const settled = running.then(
    () => null,
    (error: unknown) => error,
  );
  ends.push(async () => {
    stop.abort();
    await settled;
  });
  const ask = async (what: 'own' | 'health', path: string) => {
    const response = await fetch(`http://127.0.0.1:${listening.get(what)}${path}`);
    return { status: response.status, body: await response.text() };
  };
  const statusOf = (what: 'own' | 'health', path: string) =>
    ask(what, path).then(
      ({ status }) => status,
      () => null,
    );
  return {
    write,
    remove: (name: string) => rmSync(join(folder, name)),
    maps,
    order,
    ask,
    statusOf,
    lines,
    settled,
    stop,
  };
}

const usual = { 'service.json': service(), 'slice.json': slice('10.0.1.1'), 'node.json': node() };
const front = { address: '10.96.0.7', port: 80, protocol: protocols.TCP };

test('it attaches when the services are written, lets all programs begin at once, and then it is ready', async () => {
  const agent = start(usual);
  await expect.poll(() => agent.statusOf('own', '/readyz')).toBe(200);
  expect(agent.order.filter((one) => one !== 'routes set')).toEqual([
    'config set',
    'backends set',
    'backends set',
    'services set',
    'attach',
    'config set',
  ]);
  expect(agent.maps.config.get(0)).toMatchObject({
    flags: configFlags.synced | configFlags.holdsFlows,
    nodeV4: '192.168.0.1',
  });
  expect(await agent.statusOf('health', '/healthz')).toBe(200);
  expect((await agent.ask('own', '/readyz')).body).toContain('Policy is not enforced');
  expect((await agent.ask('own', '/metrics')).body).toMatch(/^signalbox_node_services 1$/m);
});

test('what another service proxy has left is cleaned up only once it has left the health port', async () => {
  const other = createServer().listen(0);
  await once(other, 'listening');
  const address = other.address();
  const healthPort = typeof address === 'object' && address !== null ? address.port : 0;
  let cleaned = 0;
  const onceAlone = async () => void cleaned++;
  const agent = start(usual, { healthPort, onceAlone });
  await expect.poll(() => agent.statusOf('own', '/readyz')).toBe(200);
  expect(cleaned).toBe(0);
  other.close();
  await expect.poll(() => cleaned).toBe(1);
  const withoutPort = start(usual, { healthPort: null, onceAlone });
  await expect.poll(() => withoutPort.statusOf('own', '/readyz')).toBe(200);
  await expect.poll(() => cleaned).toBe(2);
});

test('an interface without programs needs what another service proxy has left', async () => {
  let [cleaned, isRefused] = [0, true];
  const onceAlone = async () => void cleaned++;
  const agent = start(usual, { healthPort: null, onceAlone }, ['eth0'], () => {
    if (isRefused) throw new Error('no room');
  });
  await expect.poll(() => agent.lines.join('\n')).toContain('not every interface has its programs yet');
  expect(cleaned).toBe(0);
  isRefused = false;
  await expect.poll(() => cleaned, { timeout: 10_000 }).toBe(1);
});

test("flows begin in the table that an earlier agent does not know only once no interface may have that agent's programs", async () => {
  let isRefused = true;
  const agent = start(usual, {}, ['eth0', 'cali1'], (ifindex) => {
    if (isRefused && ifindex === 3) throw new Error('no room');
  });
  await expect.poll(() => agent.lines.join('\n')).toContain('The Services were written');
  const { synced, holdsFlows } = configFlags;
  const flags = () => (agent.maps.config.get(0)?.flags ?? 0) & (synced | holdsFlows);
  expect(flags()).toBe(synced);
  isRefused = false;
  await expect.poll(flags, { timeout: 10_000 }).toBe(synced | holdsFlows);
});

const flow: Flow = {
  ...{ lastNs: 0n, createdNs: 0n, packets: [1n, 1n], bytes: [1n, 1n], rule: [0, 0], ifindex: [0, 0] },
  ...{ client: '10.0.0.1', service: '10.96.0.7', backend: '10.0.1.1', peerNode: '::', clientPort: 1 },
  ...{ servicePort: 80, backendPort: 8080, snatPort: 1, serviceId: 1, flags: 0, type: flowTypes.service },
  ...{ tcp: [tcpSeen.ack, tcpSeen.ack], acknowledged: [0, 0] },
};

test.each([
  ['one that knows one table alone has served in between, so that they hide those of the other', 0, 0],
  ['not', configFlags.holdsFlows, 1],
])(
  'flows in the table that the kernel does not tidy go before anything is attached where %s',
  async (_, flags, left) => {
    const maps = mapsInMemory();
    const known = { vni: 1, tunnelPort: 4789, tunnelMtu: 1450, nodeV4: '192.168.0.1', nodeV6: '::' };
    maps.config.set(0, { ...known, flags: configFlags.synced | flags });
    const key = { a: '10.0.0.1', b: '10.96.0.7', aPort: 1, bPort: 80, protocol: protocols.TCP };
    maps.flows.set({ ...key, aPort: 2 }, flow);
    maps.heldFlows.set(key, flow);
    const had: number[] = [];
    const attach = () => {
      had.push([...maps.heldFlows.entries()].length, [...maps.flows.entries()].length);
      return () => {};
    };
    const agent = start(usual, { maps, attach });
    await expect.poll(() => agent.statusOf('own', '/readyz')).toBe(200);
    expect(had).toEqual([left, left + 1]);
  },
);

const felix = (name: string, cleanup?: unknown) => ({
  apiVersion: 'crd.projectcalico.org/v1',
  kind: 'FelixConfiguration',
  metadata: { name },
  spec: { bpfKubeProxyIptablesCleanupEnabled: cleanup },
});

test.each([
  ['is not there', {}],
  ['does not say it', { 'felix.json': felix('default') }],
  ['says no', { 'felix.json': felix('default', false) }],
  ['says it as text', { 'felix.json': felix('default', 'true') }],
  ['is of one node', { 'felix.json': felix('node.node-1', true) }],
  [
    'says another thing as another kind',
    {
      'felix.json': felix('default', true),
      'felix-v3.json': { ...felix('default', false), apiVersion: 'projectcalico.org/v3' },
    },
  ],
])(
  'what another service proxy has left stays while a FelixConfiguration %s, until one allows it',
  async (_, objects) => {
    let cleaned = 0;
    const onceAlone = async () => void cleaned++;
    const agent = start({ ...usual, ...objects }, { onceAlone, onceAloneWhen: 'felix-allows' });
    await expect.poll(() => agent.statusOf('own', '/readyz')).toBe(200);
    await sleep(100);
    expect(cleaned).toBe(0);
    if ('felix-v3.json' in objects) agent.remove('felix-v3.json');
    agent.write('felix.json', felix('default', true));
    await expect.poll(() => cleaned).toBe(1);
  },
);

test('where a service proxy is not noticed, a FelixConfiguration alone deletes nothing of it; who asks is served', async () => {
  const cleaned: string[] = [];
  for (const onceAloneWhen of ['felix-allows', 'asked'] as const) {
    const agent = start(
      { ...usual, 'felix.json': felix('default', onceAloneWhen !== 'asked') },
      { onceAlone: async () => void cleaned.push(onceAloneWhen), onceAloneWhen, healthPort: null },
    );
    await expect.poll(() => agent.statusOf('own', '/readyz')).toBe(200);
    await sleep(100);
  }
  expect(cleaned).toEqual(['asked']);
});

test('what fails and is tried again is said once, keeps nothing else back, and makes the node not ready', async () => {
  let [hasRoom, hasFolder] = [false, true];
  const given: Partial<AgentOptions> = {
    isAttached: () => hasFolder,
    attach: () => {
      if (!hasFolder) throw new Error('no such folder');
      return () => {};
    },
  };
  const agent = start(usual, given, ['eth0'], () => {
    if (!hasRoom) throw new Error('no room');
  });
  const countLines = (part: string) => agent.lines.filter((line) => line.includes(part)).length;
  await expect.poll(() => countLines('no room')).toBe(1);
  hasFolder = false;
  await expect.poll(() => countLines('no such folder')).toBe(1);
  // After several looks.
  await sleep(1_600);
  expect([countLines('no room'), countLines('no such folder')]).toEqual([1, 1]);
  hasRoom = true;
  await expect.poll(() => agent.order).toContain('attach 2');
  expect(countLines('eth0 has its programs')).toBe(1);
  expect((await agent.ask('own', '/readyz')).body).toContain('The programs are not attached.');
  hasFolder = true;
  await expect.poll(() => agent.statusOf('own', '/readyz'), { timeout: 10_000 }).toBe(200);
});

test('programs of sockets that somebody has detached are attached again before what is left of the old ones goes', async () => {
  const order: string[] = [];
  let [attached, isThere] = [0, true];
  const agent = start(usual, {
    isAttached: () => isThere,
    attach: () => {
      const own = ++attached;
      order.push(`attach ${own}`);
      isThere = true;
      return () => order.push(`detach ${own}`);
    },
  });
  await expect.poll(() => agent.statusOf('own', '/readyz')).toBe(200);
  isThere = false;
  await expect.poll(() => order, { timeout: 10_000 }).toEqual(['attach 1', 'attach 2', 'detach 1']);
  agent.stop.abort();
  await agent.settled;
  expect(order.at(-1)).toBe('detach 2');
});

test("packets are served when the services are written, and a pod's route leads there after its programs do", async () => {
  const agent = start(usual, { nodeIps: [] }, ['eth0', 'cali1']);
  await expect.poll(() => agent.statusOf('own', '/readyz')).toBe(200);
  const afterServices = agent.order.slice(agent.order.indexOf('services set') + 1);
  expect(afterServices.slice(0, 6)).toEqual([
    'attach',
    'attach 2',
    'interfaces set',
    'attach 3',
    'interfaces set',
    'config set',
  ]);
  const { synced, dsr, udpOfHostAlone, holdsFlows } = configFlags;
  expect(agent.maps.config.get(0)).toMatchObject({
    ...{ flags: synced | dsr | udpOfHostAlone | holdsFlows, tunnelMtu: 1450, nodeV4: '192.168.0.1' },
  });
  expect(agent.maps.routes.get({ prefix: 128, address: '10.0.1.2' })).toMatchObject({ ifindex: 3 });
  const counts = { host: {}, pods: {}, eth0: { forwarded: 7, noBackend: 1 } };
  expect(JSON.parse((await agent.ask('own', '/status')).body)).toMatchObject({ packets: counts });
  expect((await agent.ask('own', '/metrics')).body).toContain(
    '\nsignalbox_node_packets_total{interface="eth0",outcome="noBackend"} 1\n',
  );
  expect(agent.maps.routes.get({ prefix: 96 + 24, address: '203.0.113.0' })).toMatchObject({ flags: routeFlags.noDsr });
});

test('where no program can, neighbours are asked for by the host time and again; what keeps it from that is said once', async () => {
  let why: string | null = 'no socket';
  const looks: { readonly hops: readonly unknown[]; readonly agoNs: bigint }[] = [];
  const agent = start(usual, {
    lacks: ['bpf_redirect_neigh'],
    askForNeighbours: ({ nextHops, interfaces }, nowNs) => {
      expect(interfaces.name).toBe('interfaces');
      looks.push({ hops: [...nextHops.entries()].map(([hop]) => hop), agoNs: process.hrtime.bigint() - nowNs });
      if (why !== null) throw new Error(why);
    },
  });
  await expect.poll(() => agent.statusOf('own', '/readyz')).toBe(200);
  expect(agent.lines.join('\n')).toContain('This kernel lacks bpf_redirect_neigh; the programs work without.');
  const hop = { address: '192.168.0.9', ifindex: 2 };
  agent.maps.nextHops.set(hop, { lastNs: process.hrtime.bigint() });
  await expect.poll(() => looks.at(-1)?.hops, { timeout: 10_000 }).toEqual([hop]);
  const before = looks.length;
  await expect.poll(() => looks.length, { timeout: 10_000 }).toBeGreaterThan(before + 1);
  // The times are of the clock that the programs use.
  expect(looks.every(({ agoNs }) => agoNs >= 0n && agoNs < 1_000_000_000n)).toBe(true);
  const countLines = (part: string) => agent.lines.filter((line) => line.includes(part)).length;
  expect(countLines('Addresses of neighbours cannot be looked up: no socket')).toBe(1);
  why = null;
  await expect
    .poll(() => countLines('No longer: Addresses of neighbours cannot be looked up.'), { timeout: 10_000 })
    .toBe(1);
});

test('it does not go to work where no interface of the network is', async () => {
  const agent = start(usual, {}, ['uplink']);
  expect(String(await agent.settled)).toContain('found: uplink');
  expect(agent.order).toEqual([]);
});

test('a file that changes reaches the maps; one that is broken takes nothing out of them', async () => {
  const agent = start(usual);
  await expect.poll(() => agent.maps.services.get(front)?.clusterBackends).toBe(1);
  agent.write('slice.json', slice('10.0.1.1', '10.0.1.2'));
  await expect.poll(() => agent.maps.services.get(front)?.clusterBackends).toBe(2);
  agent.write('slice.json', '{"kind": "EndpointSlice", ');
  await expect.poll(async () => (await agent.ask('own', '/status')).body).toContain('slice.json');
  expect(agent.maps.services.get(front)?.clusterBackends).toBe(2);
  agent.remove('slice.json');
  await expect.poll(() => agent.maps.services.get(front)?.clusterBackends).toBe(0);
});

test('it does not go to work where there is a policy, and writes nothing', async () => {
  const agent = start({ ...usual, 'policy.json': policy });
  expect(await agent.settled).toMatchObject({ name: 'AgentRefused' });
  expect(String(await agent.settled)).toContain('networkpolicies.networking.k8s.io/shop/deny');
  expect(agent.order).toEqual([]);
});

test('it does not go to work under a name that no Node has', async () => {
  const agent = start(usual, { nodeName: 'node-1.example.org' });
  expect(await agent.settled).toMatchObject({ name: 'AgentRefused' });
  expect(String(await agent.settled)).toContain('no Node "node-1.example.org". Give this node');
  expect(agent.order).toEqual([]);
});

/** A source that has the node, then what `then` tells, and lists every resource except one, where one is given. */
const listing = (then: (sink: SourceSink) => void, except: Resource | null = null): NodeSource => ({
  name: 'lab',
  follow: async (sink, signal) => {
    sink.changed('nodes', '/node-1', node());
    then(sink);
    for (const kind of sourceKinds)
      for (const resource of sourceResources[kind]) if (resource !== except) sink.listed(kind, resource);
    await once(signal, 'abort');
  },
});

test.each(sourceResources.policies)('$plural of $group that may not be read are not taken for none', async (last) => {
  const source = listing((sink) => sink.refused('policies', last, 'they are forbidden'), last);
  const agent = start({}, { source });
  expect(await agent.settled).toMatchObject({ name: 'AgentRefused' });
  expect(String(await agent.settled)).toContain('Not verified that there are no network policies (they are forbidden)');
  expect(agent.order).toEqual([]);
});

test('it waits for each kind of policies, also while one cannot be read', async () => {
  const last = resources.hostEndpoints;
  const sinks: SourceSink[] = [];
  const source = listing((sink) => {
    sinks.push(sink);
    sink.interrupted('policies', last, 'the API server is away');
  }, last);
  const agent = start({}, { source });
  await expect.poll(async () => (await agent.ask('own', '/status')).body).toContain('the API server is away');
  expect(agent.order).toEqual([]);
  sinks[0]?.listed('policies', last);
  await expect.poll(() => agent.statusOf('own', '/readyz')).toBe(200);
});

test("it does not go to work beside Calico's own rules", async () => {
  const agent = start(usual, {
    foreignRules: async () => "This host has Calico's chain cali-FORWARD (iptables-nft-save)",
  });
  expect(String(await agent.settled)).toContain('cali-FORWARD');
  expect(agent.order).toEqual([]);
});

test('a policy that appears later makes the node not ready, and leaves its services alone', async () => {
  const agent = start(usual);
  await expect.poll(() => agent.statusOf('own', '/readyz')).toBe(200);
  agent.write('policy.json', policy);
  await expect.poll(() => agent.statusOf('own', '/readyz')).toBe(503);
  expect(await agent.statusOf('health', '/healthz')).toBe(200);
  agent.remove('policy.json');
  await expect.poll(() => agent.statusOf('own', '/readyz')).toBe(200);
});

test('load balancers are sent elsewhere while the node is about to go, and connections are not cut', async () => {
  const agent = start(usual);
  await expect.poll(() => agent.statusOf('health', '/healthz')).toBe(200);
  agent.write('node.json', node([{ key: 'ToBeDeletedByClusterAutoscaler', effect: 'NoSchedule' }]));
  await expect.poll(() => agent.statusOf('health', '/healthz')).toBe(503);
  expect(await agent.statusOf('health', '/livez')).toBe(200);
});

test('at its end nothing is taken out of the maps', async () => {
  const agent = start(usual);
  await expect.poll(() => agent.statusOf('own', '/readyz')).toBe(200);
  agent.stop.abort();
  expect(await agent.settled).toBe(null);
  expect(agent.order.filter((one) => one.endsWith('delete'))).toEqual([]);
  expect(agent.maps.services.get(front)?.clusterBackends).toBe(1);
});

test('once large lists are written, what they were read into is given back to the kernel, once', async () => {
  let collected = 0;
  const source = listing((sink) => {
    for (let index = 0; index < 1_000; index++) sink.changed('slices', `shop/web-${index}`, slice('10.0.1.1'));
  });
  const agent = start({}, { source, collectGarbage: () => void collected++ });
  await expect.poll(() => agent.statusOf('own', '/readyz')).toBe(200);
  expect(collected).toBe(0);
  await expect.poll(() => collected, { timeout: 20_000 }).toBe(1);
  await sleep(1_200);
  expect(collected).toBe(1);
});

test('datagrams to a backend that went find another one, although further changes are waiting to be written', async () => {
  const sinks: SourceSink[] = [];
  const maps = mapsInMemory(({ map, kind }) => {
    // The next change comes while this one is written, and waits for a minute.
    if (map === 'backends' && kind === 'delete')
      sinks[0]?.changed('services', 'shop/other', { ...service(), metadata: { namespace: 'shop', name: 'other' } });
  });
  const source = listing((sink) => {
    sinks.push(sink);
    sink.changed('services', 'shop/web', service());
    sink.changed('slices', 'shop/web-1', slice('10.0.1.1', '10.0.1.2'));
  });
  const agent = start({}, { source, maps, minSyncMs: 60_000 });
  await expect.poll(() => agent.statusOf('own', '/readyz')).toBe(200);
  const [id] = [...maps.services.entries()].map(([, one]) => one.id);
  const flowTo = (backend: string) => ({
    ...{ lastNs: process.hrtime.bigint(), createdNs: 0n, packets: [1n, 1n], bytes: [1n, 1n], rule: [0, 0] },
    ...{ ifindex: [0, 0], client: '10.0.2.9', service: '10.96.0.7', backend, peerNode: '::', clientPort: 1 },
    ...{ servicePort: 80, backendPort: 8080, snatPort: 1, serviceId: id ?? 0, flags: 0, acknowledged: [0, 0] },
    ...{ type: flowTypes.backend, tcp: [0, 0] },
  });
  for (const backend of ['10.0.1.1', '10.0.1.2'])
    maps.flows.set({ a: '10.0.2.9', aPort: 1, b: backend, bPort: 8080, protocol: protocols.UDP }, flowTo(backend));
  sinks[0]?.changed('slices', 'shop/web-1', slice('10.0.1.1'));
  const backends = () => [...maps.flows.entries()].map(([, { backend }]) => backend);
  await expect.poll(backends, { timeout: 5_000 }).toEqual(['10.0.1.1']);
});

test('the way to a new node is written before a backend there', async () => {
  const sinks: SourceSink[] = [];
  const written: string[] = [];
  const maps = mapsInMemory(({ map, key }) => {
    if (map === 'backends') written.push('a backend');
    if (map === 'routes') written.push(JSON.stringify(key));
  });
  const source = listing((sink) => {
    sinks.push(sink);
    sink.changed('services', 'shop/web', service());
  });
  const agent = start({}, { source, maps }, ['eth0', 'cali1']);
  await expect.poll(() => agent.statusOf('own', '/readyz')).toBe(200);
  written.splice(0);
  const address = '192.168.0.2';
  const status = { addresses: [{ type: 'InternalIP', address }] };
  sinks[0]?.changed('nodes', '/node-2', { ...node(), metadata: { name: 'node-2' }, status });
  const endpoints = [{ addresses: ['10.0.2.1'], nodeName: 'node-2', conditions: { ready: true } }];
  sinks[0]?.changed('slices', 'shop/web-1', { ...slice(), endpoints });
  await expect.poll(() => written).toContain('a backend');
  expect(written[0]).toBe(JSON.stringify({ prefix: 128, address }));
});
