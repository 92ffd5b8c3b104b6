import { join } from 'node:path';
import { afterAll, afterEach, test as anyTest, beforeAll, expect } from 'vitest';
import {
  attachSockets,
  type Backend,
  backendFlags,
  backendLists,
  configFlags,
  type DataPlane,
  loadDataPlane,
  protocols,
  routeFlags,
  serviceFlags,
} from '#lib/node/bpf/index.ts';
import { canRunPrograms } from './testing/can-run-programs.ts';
import { type Topology, topology } from './testing/topology.ts';
import type { Traffic } from './testing/traffic.ts';

/** Services at the socket, on the running kernel: a process of a group of cgroup2 asks for a service, and pods of a node answer. */

const test = anyTest.runIf(canRunPrograms);

let net: Topology;
let plane: DataPlane;
let client: Traffic;
let detach: () => void;
const port = 8080;
const service = { v4: '10.96.0.10', v6: 'fd96::10' } as const;
const nodePort = 30080;

beforeAll(async () => {
  if (!canRunPrograms) return;
  net = topology(
    ['node1'],
    [
      { pod: 'a', node: 'node1' },
      { pod: 'b', node: 'node1' },
    ],
  );
  plane = loadDataPlane({ pins: join(net.bpffs, 'maps') });
  detach = attachSockets(plane, { cgroup: net.cgroup, pins: null });
  await Promise.all(['a', 'b'].map((pod) => net.traffic(pod).ask({ do: 'serve', name: pod, port })));
  client = net.traffic('node1', 'in the group');
});

afterAll(async () => {
  detach?.();
  plane?.close();
  await net?.close();
});

afterEach(() => {
  if (!canRunPrograms) return;
  const { services, backends, routes, affinities } = plane.maps;
  for (const map of [services, backends, routes, affinities] as const)
    for (const [key] of map.entries()) (map as { delete(key: unknown): boolean }).delete(key);
});

type Family = keyof typeof service;

function give(
  address: string,
  of: readonly string[],
  {
    family = 'v4',
    flags = 0,
    local = of,
    frontPort = 80,
  }: Partial<{ family: Family; flags: number; local: readonly string[]; frontPort: number }> = {},
) {
  const { services, backends, config } = plane.maps;
  const id = 7;
  for (const [list, names] of [
    [backendLists.cluster, of],
    [backendLists.local, local],
  ] as const)
    for (const [slot, name] of names.entries()) {
      const backend: Backend = { address: net.addresses(name)[family], node: '::', port, flags: backendFlags.local };
      backends.set({ service: id, slot, list }, backend);
    }
  for (const protocol of Object.values(protocols))
    services.set(
      { address, port: frontPort, protocol },
      {
        id,
        clusterBackends: of.length,
        localBackends: local.length,
        flags,
        affinityS: flags & serviceFlags.affinity ? 600 : 0,
      },
    );
  config.set(0, { flags: configFlags.synced, vni: 0, tunnelPort: 0, tunnelMtu: 0, nodeV4: '::', nodeV6: '::' });
}

/** What the router says of an address that nobody has. */
const noWay = 'ENETUNREACH';

/** As many that the chance for one of two to answer them all is one in a million. */
const often = Array.from({ length: 20 });

test.each<[Family]>([['v4'], ['v6']])(
  'a connection to a service of %s reaches each backend, and believes to talk to the service',
  async (family) => {
    give(service[family], ['a', 'b'], { family });
    const answers = await Promise.all(often.map(() => client.ask({ do: 'tcp', to: service[family], port: 80 })));
    expect(new Set(answers.flatMap(({ servers }) => servers))).toEqual(new Set(['a', 'b']));
    expect(new Set(answers.map(({ error, peer, seen }) => [error, peer, seen].join(' ')))).toEqual(
      new Set([` ${service[family]} ${net.addresses('node1')[family]}`]),
    );
  },
);

test('an IPv6 socket reaches a service of IPv4 by its mapped address', async () => {
  give(service.v4, ['a']);
  expect(await client.ask({ do: 'tcp', to: `::ffff:${service.v4}`, port: 80 })).toMatchObject({
    error: null,
    servers: ['a'],
  });
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
  const direct = { do: 'tcp', to: net.addresses('b').v4, port } as const;
  expect(await client.ask(direct)).toMatchObject({ error: null, servers: ['b'] });
  plane.maps.config.set(0, { flags: 0, vni: 0, tunnelPort: 0, tunnelMtu: 0, nodeV4: '::', nodeV6: '::' });
  expect(await client.ask({ do: 'tcp', to: service.v4, port: 80 })).toMatchObject({ error: noWay });
});

test('with session affinity a client stays with its backend, and goes on when that one went', async () => {
  give(service.v4, ['a', 'b'], { flags: serviceFlags.affinity });
  const ask = () => client.ask({ do: 'tcp', to: service.v4, port: 80 });
  const first = await Promise.all(often.map(ask));
  const [one = ''] = new Set(first.flatMap(({ servers }) => servers));
  expect(new Set(first.flatMap(({ servers }) => servers)).size).toBe(1);
  const other = one === 'a' ? 'b' : 'a';
  give(service.v4, [other], { flags: serviceFlags.affinity });
  for (const [key] of plane.maps.affinities.entries()) plane.maps.affinities.delete(key);
  expect((await ask()).servers).toEqual([other]);
});

test('a policy Local takes what is on this node alone', async () => {
  give(service.v4, ['a', 'b'], { flags: serviceFlags.insideLocal, local: ['b'] });
  const answers = await Promise.all(often.map(() => client.ask({ do: 'tcp', to: service.v4, port: 80 })));
  expect(new Set(answers.flatMap(({ servers }) => servers))).toEqual(new Set(['b']));
});

test('a node port answers on addresses that take them, and on no other', async () => {
  give('0.0.0.0', ['a'], { frontPort: nodePort, flags: serviceFlags.nodePort });
  const { v4 } = net.addresses('node1');
  const route = { flags: routeFlags.local | routeFlags.host, ifindex: 0, node: '::', endpoint: 0 };
  plane.maps.routes.set({ prefix: 128, address: v4 }, route);
  expect(await client.ask({ do: 'tcp', to: v4, port: nodePort })).toMatchObject({ error: 'ECONNREFUSED' });
  plane.maps.routes.set({ prefix: 128, address: v4 }, { ...route, flags: route.flags | routeFlags.nodePorts });
  expect(await client.ask({ do: 'tcp', to: v4, port: nodePort })).toMatchObject({ error: null, servers: ['a'] });
});

test('a process outside of the group gets no translation', async () => {
  give(service.v4, ['a']);
  expect(await net.traffic('node1').ask({ do: 'tcp', to: service.v4, port: 80 })).toMatchObject({ error: noWay });
});
