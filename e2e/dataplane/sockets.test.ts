import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { afterAll, test as anyTest, beforeAll, expect } from 'vitest';
import { configFlags, routeFlags, serviceFlags } from '#lib/node/bpf/index.ts';
import { canRunPrograms } from './testing/can-run-programs.ts';
import { type FrontEnd, type NodePlane, nodePlane, podPort } from './testing/node-plane.ts';
import { type Topology, topology } from './testing/topology.ts';
import type { Traffic } from './testing/traffic.ts';
import { serviceAddress as service } from './testing/two-nodes.ts';

/** Services at the socket, on the running kernel: a process of a group of cgroup2 asks for a service, and pods of a node answer. */

const test = anyTest.runIf(canRunPrograms);

const nodes = ['node1'];
const pods = [
  { pod: 'a', node: 'node1' },
  { pod: 'b', node: 'node1' },
];
let net: Topology;
let node: NodePlane;
let client: Traffic;
const nodePort = 30080;

beforeAll(async () => {
  if (!canRunPrograms) return;
  net = topology(nodes, pods);
  node = nodePlane(net, 'node1', { nodes, pods });
  await Promise.all(pods.map(({ pod }) => net.traffic(pod).ask({ do: 'serve', name: pod, port: podPort })));
  client = net.traffic('node1', 'in the group');
});

afterAll(async () => {
  node?.close();
  await net?.close();
});

const give = (address: string, backends: readonly string[], more: Partial<FrontEnd> = {}) =>
  node.serve({ address, port: 80, backends, ...more });

/** What the router says of an address that nobody has. */
const noWay = 'ENETUNREACH';

/** As many that the chance for one of two to answer them all is one in a million. */
const often = Array.from({ length: 20 });
const askOften = async (to: string) => {
  const answers = await Promise.all(often.map(() => client.ask({ do: 'tcp', to, port: 80 })));
  return { answers, servers: new Set(answers.flatMap(({ servers }) => servers)) };
};

test.each(['v4', 'v6'] as const)(
  'a connection to a service of %s reaches each backend, and believes to talk to the service',
  async (family) => {
    give(service[family], ['a', 'b'], { family });
    const { answers, servers } = await askOften(service[family]);
    expect(servers).toEqual(new Set(['a', 'b']));
    expect(new Set(answers.map(({ error, peer, seen }) => `${error} ${peer} ${seen}`))).toEqual(
      new Set([`null ${service[family]} ${net.addresses('node1')[family]}`]),
    );
  },
);

test('an IPv6 socket reaches a service of IPv4 by its mapped address', async () => {
  give(service.v4, ['a']);
  const answer = await client.ask({ do: 'tcp', to: `::ffff:${service.v4}`, port: 80 });
  expect(answer).toMatchObject({ error: null, servers: ['a'] });
});

test.each([
  ['connected', 'v4'],
  ['unconnected', 'v4'],
  ['connected', 'v6'],
  ['unconnected', 'v6'],
] as const)(
  'a datagram of a socket that is %s (%s) is answered by the service, always by one backend',
  async (socket, family) => {
    give(service[family], ['a', 'b'], { family });
    const answer = await client.ask({ do: 'udp', to: service[family], port: 80, socket, times: 12 });
    expect(answer).toMatchObject({ error: null, peer: service[family] });
    expect(new Set(answer.servers).size).toBe(1);
  },
);

test('without a backend a connection is refused at once; a datagram is only lost', async () => {
  give(service.v4, []);
  expect(await client.ask({ do: 'tcp', to: service.v4, port: 80 })).toMatchObject({ error: 'ECONNREFUSED' });
  const { error } = await client.ask({ do: 'udp', to: service.v4, port: 80, socket: 'connected' });
  expect(error).toBe('silence');
});

test('whom no front end names is left alone, and everybody is until the services are synced', async () => {
  give(service.v4, ['a']);
  const direct = { do: 'tcp', to: net.addresses('b').v4, port: podPort } as const;
  expect(await client.ask(direct)).toMatchObject({ error: null, servers: ['b'] });
  node.configure(0);
  expect(await client.ask({ do: 'tcp', to: service.v4, port: 80 })).toMatchObject({ error: noWay });
  node.configure(configFlags.synced);
});

test('with session affinity a client stays with its backend, and goes on when that one went', async () => {
  give(service.v4, ['a', 'b'], { flags: serviceFlags.affinity });
  const [one = '', ...others] = (await askOften(service.v4)).servers;
  expect(others).toEqual([]);
  // By its node the agent sees that a backend has moved (lib/node/sync/let-go.ts).
  const { maps } = node.plane;
  const nodes = new Set([...maps.backends.entries()].map(([, backend]) => backend.node));
  expect(new Set([...maps.affinities.entries()].map(([, kept]) => kept.node))).toEqual(nodes);
  const other = one === 'a' ? 'b' : 'a';
  give(service.v4, [other], { flags: serviceFlags.affinity });
  expect((await askOften(service.v4)).servers).toEqual(new Set([other]));
});

test('a policy Local takes what is on this node alone', async () => {
  give(service.v4, ['a', 'b'], { flags: serviceFlags.insideLocal, local: ['b'] });
  expect((await askOften(service.v4)).servers).toEqual(new Set(['b']));
});

test('a node port answers on addresses that take them, and on no other', async () => {
  give('0.0.0.0', ['a'], { port: nodePort, flags: serviceFlags.nodePort });
  const { v4 } = net.addresses('node1');
  const key = { prefix: 128, address: v4 };
  const route = { flags: routeFlags.local | routeFlags.host, ifindex: 0, node: '::', endpoint: 0 };
  node.plane.maps.routes.set(key, route);
  expect(await client.ask({ do: 'tcp', to: v4, port: nodePort })).toMatchObject({ error: 'ECONNREFUSED' });
  node.plane.maps.routes.set(key, { ...route, flags: route.flags | routeFlags.nodePorts });
  expect(await client.ask({ do: 'tcp', to: v4, port: nodePort })).toMatchObject({ error: null, servers: ['a'] });
});

test.each([
  ['v4', '127.0.0.1', { prefix: 96 + 8, address: '127.0.0.0' }],
  ['v6', '::1', { prefix: 128, address: '::1' }],
] as const)(
  'loopback has node ports of the host alone: that of another network namespace is its own (%s)',
  async (family, to, key) => {
    const everyNode = { v4: '0.0.0.0', v6: '::' }[family];
    give(everyNode, ['a'], { port: nodePort, flags: serviceFlags.nodePort, family });
    const flags = routeFlags.local | routeFlags.host | routeFlags.nodePorts;
    node.plane.maps.routes.set(key, { flags, ifindex: 0, node: '::', endpoint: 0 });
    const ask = (address: string) => client.ask({ do: 'tcp', to: address, port: nodePort });
    expect(await ask(net.addresses('node1')[family])).toMatchObject({ error: null, servers: ['a'] });
    expect(await ask(to)).toMatchObject({ error: 'ECONNREFUSED' });
    node.plane.maps.routes.delete(key);
  },
);

/** Only the kernel's first network namespace is the host to the programs, and has this file. In a container of its own network there is no such process. */
const isFirstNetwork = existsSync('/proc/sys/net/core/netdev_budget');

anyTest.runIf(canRunPrograms && isFirstNetwork)('loopback of the host itself has its node ports', async () => {
  // In its network no pod of a topology is: the backend is one more process of it.
  const [asked, backend] = ['127.0.0.1', '127.0.0.2'];
  const server = createServer({ allowHalfOpen: true }, (socket) =>
    socket.on('data', () => socket.end(`host ${socket.remoteAddress} 1\n.`)),
  );
  server.listen(0, backend);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const { routes, services, backends } = node.plane.maps;
  give('0.0.0.0', ['a'], { port: nodePort, flags: serviceFlags.nodePort });
  const key = { prefix: 96 + 8, address: '127.0.0.0' };
  const flags = routeFlags.local | routeFlags.host | routeFlags.nodePorts;
  routes.set(key, { flags, ifindex: 0, node: '::', endpoint: 0 });
  for (const [slot, one] of backends.entries()) backends.set(slot, { ...one, address: backend, port });
  const ofHost = net.ofHost('node1');
  const ask = () => ofHost.ask({ do: 'tcp', to: asked, port: nodePort });
  try {
    expect(await ask()).toEqual({ error: null, servers: ['host'], seen: '127.0.0.1', peer: asked });
    for (const [place] of services.entries()) services.delete(place);
    expect(await ask()).toMatchObject({ error: 'ECONNREFUSED' });
  } finally {
    routes.delete(key);
    server.close();
  }
});

test('a process outside of the group gets no translation', async () => {
  give(service.v4, ['a']);
  expect(await net.traffic('node1').ask({ do: 'tcp', to: service.v4, port: 80 })).toMatchObject({ error: noWay });
});
