import { afterAll, test as anyTest, beforeAll, expect } from 'vitest';
import { routeFlags, serviceFlags } from '#lib/node/bpf/index.ts';
import { canRunPrograms } from './testing/can-run-programs.ts';
import { type FrontEnd, type NodePlane, nodePlane, podPort } from './testing/node-plane.ts';
import { type Topology, topology } from './testing/topology.ts';
import type { Traffic } from './testing/traffic.ts';
import { everyNode, families, nodes, pods, serviceAddress as service } from './testing/two-nodes.ts';

/** Services per packet, for whom no program of a socket sees: pods that are in no group of cgroup2, and clients outside of the cluster. */

const test = anyTest.runIf(canRunPrograms);

let net: Topology;
let planes: readonly NodePlane[];
const nodePort = 30080;

beforeAll(async () => {
  if (!canRunPrograms) return;
  net = topology(nodes, pods);
  planes = nodes.map((node) => nodePlane(net, node, { nodes, pods }));
  for (const place of ['a', 'b', 'c', 'node1']) await from(place).ask({ do: 'serve', name: place, port: podPort });
});

afterAll(async () => {
  for (const plane of planes ?? []) plane.close();
  await net?.close();
});

const from = (place: string): Traffic => net.at(place);

function serve(...frontEnds: readonly FrontEnd[]) {
  for (const plane of planes) plane.serve(...frontEnds);
}

const ways = families.flatMap((family) => [
  ['b', family, 'of the same node'] as const,
  ['c', family, 'of another node'] as const,
  ['a', family, 'that is itself'] as const,
  ['node1', family, "in the host's network"] as const,
]);

test.each(ways)('a pod reaches the backend %s (%s) by TCP, %s', async (backend, family) => {
  serve({ address: service[family], port: 80, backends: [backend], family });
  const answer = await from('a').ask({ do: 'tcp', to: service[family], port: 80, bytes: 100_000 });
  const itself = { v4: '169.254.1.2', v6: 'fdff:5160:9a00::2' } as const;
  expect(answer).toEqual({
    error: null,
    servers: [backend],
    seen: backend === 'a' ? itself[family] : net.addresses('a')[family],
    peer: service[family],
  });
});

test.each(ways)('a pod reaches the backend %s (%s) by datagrams, %s', async (backend, family) => {
  serve({ address: service[family], port: 80, backends: [backend], family });
  const answer = await from('a').ask({ do: 'udp', to: service[family], port: 80, socket: 'connected', times: 3 });
  expect(answer).toMatchObject({ error: null, servers: [backend, backend, backend], peer: service[family] });
});

test.each(families)('a client outside reaches a node port (%s), and the pod sees its address', async (family) => {
  serve({ address: everyNode[family], port: nodePort, backends: ['a', 'b'], family, flags: serviceFlags.nodePort });
  const answers = await Promise.all(
    Array.from({ length: 20 }, () =>
      from('client').ask({ do: 'tcp', to: net.addresses('node1')[family], port: nodePort, bytes: 100_000 }),
    ),
  );
  expect(new Set(answers.flatMap(({ servers }) => servers))).toEqual(new Set(['a', 'b']));
  expect(new Set(answers.map(({ error, seen }) => `${error} ${seen}`))).toEqual(
    new Set([`null ${net.addresses('client')[family]}`]),
  );
});

test.each(['tcp', 'udp'] as const)('with session affinity a client outside stays with its backend (%s)', async (by) => {
  const flags = serviceFlags.nodePort | serviceFlags.affinity;
  serve({ address: everyNode.v4, port: nodePort, backends: ['a', 'b'], flags });
  const to = { to: net.addresses('node1').v4, port: nodePort };
  const ask = () => from('client').ask(by === 'tcp' ? { do: by, ...to } : { do: by, ...to, socket: 'connected' });
  const answers = await Promise.all(Array.from({ length: 20 }, ask));
  expect(answers.map(({ error }) => error)).toEqual(answers.map(() => null));
  expect(new Set(answers.flatMap(({ servers }) => servers)).size).toBe(1);
});

test.each(families)(
  'a node port is answered by each address of its node (%s), and by the one that was asked',
  async (family) => {
    serve({ address: everyNode[family], port: nodePort, backends: ['a', 'c'], family, flags: serviceFlags.nodePort });
    const second = { v4: '10.88.1.7', v6: 'fd88:0:0:1::7' }[family];
    const flags = routeFlags.local | routeFlags.host | routeFlags.nodePorts;
    net.on(
      'node1',
      'ip',
      'addr',
      'add',
      second + (family === 'v4' ? '/24' : '/64'),
      'dev',
      'eth0',
      ...(family === 'v4' ? [] : ['nodad']),
    );
    planes[0]?.plane.maps.routes.set({ prefix: 128, address: second }, { flags, ifindex: 0, node: '::', endpoint: 0 });
    // As the other node knows of it.
    planes[1]?.plane.maps.routes.set(
      { prefix: 128, address: second },
      { flags: routeFlags.host, ifindex: 0, node: net.addresses('node1')[family], endpoint: 0 },
    );
    const ask = () => from('client').ask({ do: 'tcp', to: second, port: nodePort, bytes: 10_000 });
    const answers = await Promise.all(Array.from({ length: 20 }, ask));
    expect(new Set(answers.flatMap(({ servers }) => servers))).toEqual(new Set(['a', 'c']));
    expect(new Set(answers.map(({ error, peer }) => `${error} ${peer}`))).toEqual(new Set([`null ${second}`]));
  },
);

test.each(['tcp', 'udp'] as const)(
  'with session affinity a client of another node’s node port stays with its backend (%s)',
  async (by) => {
    const flags = serviceFlags.nodePort | serviceFlags.affinity;
    serve({ address: everyNode.v4, port: nodePort, backends: ['a', 'b'], flags });
    const to = { to: net.addresses('node2').v4, port: nodePort };
    const answers = [];
    for (let times = 0; times < 12; times++)
      answers.push(await from('client').ask(by === 'tcp' ? { do: by, ...to } : { do: by, ...to, socket: 'connected' }));
    expect(answers.map(({ error }) => error)).toEqual(answers.map(() => null));
    expect(new Set(answers.flatMap(({ servers }) => servers)).size).toBe(1);
  },
);

test('a client stays with its backend although another processor has seen it a moment later', async () => {
  const flags = serviceFlags.nodePort | serviceFlags.affinity;
  serve({ address: everyNode.v4, port: nodePort, backends: ['a', 'b'], flags, id: 7 });
  const kept = { backend: net.addresses('b').v4, node: net.addresses('node1').v4, port: podPort };
  const served: (readonly string[])[] = [];
  for (let times = 0; times < 12; times++) {
    // Each processor reads the clock once a tick, so that one may be behind what another has written.
    planes[0]?.plane.maps.affinities.set(
      { client: net.addresses('client').v4, service: 7 },
      { ...kept, lastNs: process.hrtime.bigint() + 2_000_000_000n },
    );
    const answer = await from('client').ask({ do: 'tcp', to: net.addresses('node1').v4, port: nodePort });
    served.push(answer.servers);
  }
  expect(served).toEqual(served.map(() => ['b']));
});

test('a client is not kept at a backend of another node once the policy wants one here', async () => {
  const flags = serviceFlags.nodePort | serviceFlags.affinity | serviceFlags.outsideLocal;
  serve({ address: everyNode.v4, port: nodePort, backends: ['a', 'c'], flags, id: 7 });
  const kept = { backend: net.addresses('c').v4, node: net.addresses('node2').v4, port: podPort };
  planes[0]?.plane.maps.affinities.set(
    { client: net.addresses('client').v4, service: 7 },
    { ...kept, lastNs: process.hrtime.bigint() },
  );
  const answer = await from('client').ask({ do: 'tcp', to: net.addresses('node1').v4, port: nodePort });
  expect(answer).toMatchObject({ error: null, servers: ['a'] });
});

test('source ranges keep a client out, or let it in', async () => {
  const { v4 } = net.addresses('node1');
  const one = { address: v4, port: 443, backends: ['a'], flags: serviceFlags.sourceRanges, id: 9 };
  serve({ ...one, sourceRanges: [{ prefix: 32 + 96 + 24, address: '10.77.0.0' }] });
  expect(await from('client').ask({ do: 'tcp', to: v4, port: 443 })).toMatchObject({ error: 'silence' });
  serve({ ...one, sourceRanges: [{ prefix: 32 + 96 + 24, address: '10.88.200.0' }] });
  expect(await from('client').ask({ do: 'tcp', to: v4, port: 443 })).toMatchObject({ error: null, servers: ['a'] });
});

test("a pod reaches a load balancer's address in its own cluster, whoever may come from outside", async () => {
  const address = '198.51.100.7';
  for (const ranges of [[], [{ prefix: 32 + 96 + 24, address: '10.77.0.0' }]]) {
    const flags = ranges.length > 0 ? serviceFlags.sourceRanges : 0;
    serve({ address, port: 443, backends: ['c'], flags, id: 9, sourceRanges: ranges });
    const answer = await from('a').ask({ do: 'tcp', to: address, port: 443, bytes: 10_000 });
    expect(answer).toMatchObject({ error: null, servers: ['c'], peer: address });
  }
});

test('a flow is counted in both directions, with what it is', async () => {
  serve({ address: service.v4, port: 80, backends: ['b'] });
  await from('a').ask({ do: 'tcp', to: service.v4, port: 80 });
  const flows = [...(planes[0]?.plane.maps.flows.entries() ?? [])].map(([, flow]) => flow);
  expect(flows.map(({ type }) => type).sort()).toEqual([2, 3]);
  const [flow] = flows.filter(({ type }) => type === 3);
  expect(flow).toMatchObject({ client: net.addresses('a').v4, service: service.v4, backend: net.addresses('b').v4 });
  expect(flow?.packets.every((count) => count >= 3n)).toBe(true);
});

test.each(families)('without a backend (%s) a pod is refused at once, by TCP and by datagrams', async (family) => {
  serve({ address: service[family], port: 80, backends: [], family });
  const to = { to: service[family], port: 80 };
  expect(await from('a').ask({ do: 'tcp', ...to })).toMatchObject({ error: 'ECONNREFUSED' });
  expect(await from('a').ask({ do: 'udp', ...to, socket: 'connected' })).toMatchObject({ error: 'ECONNREFUSED' });
});

test.each(families)(
  'a node port without a backend (%s) is refused, and no process of the node gets it',
  async (family) => {
    const to = net.addresses('node1')[family];
    serve();
    expect(await from('client').ask({ do: 'tcp', to, port: podPort })).toMatchObject({ servers: ['node1'] });
    serve({ address: everyNode[family], port: podPort, backends: [], family, flags: serviceFlags.nodePort });
    for (const ask of [{ do: 'tcp' }, { do: 'udp', socket: 'connected' }] as const)
      expect(await from('client').ask({ ...ask, to, port: podPort })).toMatchObject({ error: 'ECONNREFUSED' });
  },
);

test('where only this node has no backend, and the policy wants one here, a client may ask again elsewhere', async () => {
  const flags = serviceFlags.nodePort | serviceFlags.outsideLocal;
  serve({ address: everyNode.v4, port: nodePort, backends: ['c'], flags });
  const ask = (node: string) => from('client').ask({ do: 'tcp', to: net.addresses(node).v4, port: nodePort });
  expect(await ask('node1')).toMatchObject({ error: 'silence' });
  expect(await ask('node2')).toMatchObject({ error: null, servers: ['c'] });
});

test.each([
  ['v4', 'iptables'],
  ['v6', 'ip6tables'],
] as const)(
  "two pods of a node reach each other (%s) past the host's rules by TCP, and by them with datagrams",
  async (family, program) => {
    serve();
    const [a, b] = [net.addresses('a')[family], net.addresses('b')[family]];
    for (const [source, destination] of [
      [a, b],
      [b, a],
    ] as const)
      net.on('node1', program, '-A', 'FORWARD', '-s', source, '-d', destination);
    const counted = () =>
      [...net.on('node1', program, '-vS', 'FORWARD').matchAll(/^-A .* -c (\d+) /gm)].map(([, count]) => Number(count));
    const to = { to: b, port: podPort };
    expect(await from('a').ask({ do: 'tcp', ...to, bytes: 100_000 })).toMatchObject({
      error: null,
      servers: ['b'],
      seen: a,
    });
    expect(counted()).toEqual([0, 0]);
    expect(await from('a').ask({ do: 'udp', ...to, socket: 'connected' })).toMatchObject({
      error: null,
      servers: ['b'],
    });
    expect(counted()).toEqual([1, 1]);
    net.on('node1', program, '-F', 'FORWARD');
  },
);

test.each(['a', 'client'])(
  'a port of the host that its own rules lead to a pod (portmap) is reached from %s',
  async (place) => {
    const [node1, b] = ['node1', 'b'].map((one) => net.addresses(one).v4) as [string, string];
    const rule = ['PREROUTING', '-p', 'tcp', '-d', node1, '--dport', '9090', '-j', 'DNAT', '--to', `${b}:${podPort}`];
    net.on('node1', 'iptables', '-t', 'nat', '-A', ...rule);
    const answer = await from(place).ask({ do: 'tcp', to: node1, port: 9090, bytes: 100_000 });
    net.on('node1', 'iptables', '-t', 'nat', '-D', ...rule);
    expect(answer).toEqual({ error: null, servers: ['b'], seen: net.addresses(place).v4, peer: node1 });
  },
);
