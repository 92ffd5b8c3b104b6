import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, rmdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, test as anyTest, beforeAll, expect } from 'vitest';
import {
  areSocketsAttached,
  attachSockets,
  configFlags,
  type DataPlane,
  detachPinnedPrograms,
  loadDataPlane,
  type SocketAttachment,
  serviceFlags,
} from '#lib/node/bpf/index.ts';
import { knownNeighbours, leaveNode, pinsOf } from '#lib/node/index.ts';
import { canRunPrograms } from './testing/can-run-programs.ts';
import { framesOf } from './testing/frames.ts';
import { type Family, type NodePlane, nodePlane, podPort } from './testing/node-plane.ts';
import { datagramOf, synPacket, withEthernetHeader } from './testing/packets.ts';
import { testRunner, verdicts } from './testing/test-run.ts';
import { type Topology, topology } from './testing/topology.ts';
import { everyNode, families, nodes, pods, serviceAddress as service } from './testing/two-nodes.ts';
import { withinNetwork } from './testing/within-network.ts';

/**
 * Traffic through the programs for a kernel without any feature newer than Linux 5.4: here the loader pretends that this kernel lacks them all.
 */

const test = anyTest.runIf(canRunPrograms);

const nodePort = 30080;
const noMac = '00:00:00:00:00:00';
/** bpf_jiffies64, bpf_get_netns_cookie, bpf_redirect_neigh, bpf_redirect_peer, bpf_set_retval, and `gso_size` of packets. */
const newer = [118, 122, 152, 155, 187, 0x1000];
const older = { part: (_type: number, id: number) => !newer.includes(id), hook: () => false };
const noConfig = { flags: 0, vni: 0, tunnelPort: 0, tunnelMtu: 0, nodeV4: '::', nodeV6: '::' };

let net: Topology;
let planes: readonly NodePlane[];

beforeAll(async () => {
  if (!canRunPrograms) return;
  net = topology(nodes, pods);
  planes = nodes.map((node) => nodePlane(net, node, { nodes, pods, has: older }));
  for (const place of ['a', 'b', 'c', 'node2']) await net.at(place).ask({ do: 'serve', name: place, port: podPort });
});

afterAll(async () => {
  for (const plane of planes ?? []) plane.close();
  await net?.close();
});

const serveNodePort = (family: Family, ...backends: readonly string[]) => {
  for (const plane of planes)
    plane.serve({ address: everyNode[family], port: nodePort, backends, family, flags: serviceFlags.nodePort });
};

test('it says what it does without', () => {
  expect(planes[0]?.plane.lacks).toEqual(
    expect.arrayContaining([
      ...['bpf_jiffies64', 'bpf_get_netns_cookie', 'bpf_redirect_neigh', 'bpf_redirect_peer', '__sk_buff.gso_size'],
      ...['getpeername4', 'getpeername6'],
    ]),
  );
});

test.each(families)(
  'a client reaches a pod and a host of another node, and a pod of the one asked, by TCP and datagrams (%s)',
  async (family) => {
    const to = net.addresses('node1')[family];
    for (const backend of ['c', 'node2', 'a']) {
      serveNodePort(family, backend);
      const own = { servers: [backend], seen: net.addresses('client')[family], peer: to };
      const stream = await net.at('client').ask({ do: 'tcp', to, port: nodePort, bytes: 3_000_000 });
      expect(stream, backend).toEqual({ error: null, ...own });
      const datagrams = await net.at('client').ask({ do: 'udp', to, port: nodePort, socket: 'connected', times: 3 });
      expect(datagrams, backend).toMatchObject({ error: null, servers: [backend, backend, backend] });
    }
  },
);

const anotherGateway = { v4: '10.88.1.9', v6: 'fe80::9' } as const;

/** From node1 to node2 by a router that no other way has, by a rule of the source. */
function byAnotherGateway(family: Family) {
  const [from, to] = ['node1', 'node2'].map((node) => net.addresses(node)[family]) as [string, string];
  const [gateway, ip] = [anotherGateway[family], ['ip', family === 'v4' ? '-4' : '-6']] as const;
  net.on('node1', ...ip, 'rule', 'add', 'from', from, 'to', to, 'lookup', '100');
  net.on('node1', ...ip, 'route', 'add', 'default', 'via', gateway, 'dev', 'eth0', 'table', '100');
  const end = () => {
    net.on('node1', ...ip, 'rule', 'del', 'lookup', '100');
    net.on('node1', ...ip, 'route', 'flush', 'table', '100');
  };
  return { from, end };
}

test.each(families)('what has to wait for its next hop is counted as that, and as nothing else (%s)', (family) => {
  const { from, end } = byAnotherGateway(family);
  const runner = planes[0] && testRunner(planes[0].plane, 'incoming');
  try {
    serveNodePort(family, 'c');
    const counts = () => planes[0]?.plane.counts([1]).get(1);
    const before = counts();
    const ports = { sourcePort: 50_000, destinationPort: nodePort };
    const asked = withEthernetHeader(
      synPacket({ source: net.addresses('client')[family], destination: from, ...ports }),
    );
    const ran = withinNetwork(net.namespace('node1'), () => runner?.run(asked, net.ifindex('node1', 'eth0')));
    expect(ran?.verdict).toBe(verdicts.drop);
    expect(counts()).toEqual({ ...before, noNeighbour: (before?.noNeighbour ?? 0) + 1 });
  } finally {
    end();
    runner?.close();
  }
});

test.each(families)('who sent what has no hop left, or is too large for the tunnel, is told so (%s)', (family) => {
  const runner = planes[0] && testRunner(planes[0].plane, 'incoming');
  const ends = { source: net.addresses('client')[family], destination: net.addresses('node1')[family] };
  const icmpFor = (backend: string, packet: { length: number; ttl?: number }) => {
    serveNodePort(family, backend);
    const { length, ...more } = packet;
    const sent = withEthernetHeader(
      datagramOf({ ...ends, ...more, sourcePort: 50_000, destinationPort: nodePort }, length),
    );
    const ran = withinNetwork(net.namespace('node1'), () => runner?.run(sent, net.ifindex('node1', 'eth0')));
    const [message] = ran ? framesOf([ran.frame]) : [];
    return [ran?.verdict, message?.destination, ...(message?.transport.subarray(0, 2) ?? [])];
  };
  const { redirect } = verdicts;
  const [expired, tooBig] =
    family === 'v4'
      ? ([
          [11, 0],
          [3, 4],
        ] as const)
      : ([
          [3, 0],
          [2, 0],
        ] as const);
  try {
    expect(icmpFor('c', { length: 5, ttl: 1 }), 'to another node').toEqual([redirect, ends.source, ...expired]);
    expect(icmpFor('a', { length: 5, ttl: 1 }), 'to a pod here').toEqual([redirect, ends.source, ...expired]);
    expect(icmpFor('c', { length: 1440 }), 'too large').toEqual([redirect, ends.source, ...tooBig]);
  } finally {
    runner?.close();
  }
});

test.each(families)('a next hop that a rule chooses by the source is asked for (%s)', async (family) => {
  const gateway = anotherGateway[family];
  net.on('router', 'ip', 'addr', 'add', gateway + (family === 'v4' ? '/24' : '/64'), 'dev', 'node1');
  const { from, end } = byAnotherGateway(family);
  try {
    serveNodePort(family, 'c');
    const ask = () => net.at('client').ask({ do: 'tcp', to: from, port: nodePort });
    let answer = await ask();
    for (let more = 2; more > 0 && answer.error !== null; more--) answer = await ask();
    expect(answer).toMatchObject({ error: null, servers: ['c'] });
    expect(net.on('node1', 'ip', 'neigh', 'show', gateway)).toContain('lladdr');
  } finally {
    end();
  }
});

test.each(families)('a node that has no backend any more refuses through the tunnel (%s)', async (family) => {
  serveNodePort(family, 'c');
  planes[1]?.serve({ address: everyNode[family], port: nodePort, backends: [], family, flags: serviceFlags.nodePort });
  const to = net.addresses('node1')[family];
  expect(await net.at('client').ask({ do: 'tcp', to, port: nodePort })).toMatchObject({ error: 'ECONNREFUSED' });
});

test.each(families)('a pod reaches a pod beside it and one of another node by a service (%s)', async (family) => {
  for (const backend of ['b', 'c']) {
    for (const plane of planes) plane.serve({ address: service[family], port: 80, backends: [backend], family });
    const answer = await net.at('a').ask({ do: 'tcp', to: service[family], port: 80, bytes: 1_000_000 });
    expect(answer, backend).toMatchObject({ error: null, servers: [backend] });
  }
});

test('the kernel tells of the hardware addresses of pods, of both families', () => {
  const all = withinNetwork(net.namespace('node1'), () => knownNeighbours());
  const [ifindex, mac] = [net.ifindex('node1', 'a'), net.mac('a', 'eth0')];
  const { v4, v6 } = net.addresses('a');
  expect(all).toEqual(expect.arrayContaining([v4, v6].map((address) => ({ ifindex, mac, address }))));
});

test.each(families)('a pod whose hardware address nobody has told is reached by the host (%s)', async (family) => {
  const known = planes.map(({ plane: { maps } }) => [...maps.interfaces.entries()]);
  for (const [at, { plane }] of planes.entries())
    for (const [ifindex, one] of known[at] ?? []) plane.maps.interfaces.set(ifindex, { ...one, podMac: noMac });
  try {
    const to = net.addresses('node1')[family];
    for (const backend of ['a', 'c']) {
      serveNodePort(family, backend);
      const stream = await net.at('client').ask({ do: 'tcp', to, port: nodePort, bytes: 100_000 });
      expect(stream, backend).toMatchObject({ error: null, servers: [backend] });
      const datagrams = await net.at('client').ask({ do: 'udp', to, port: nodePort, socket: 'connected', times: 3 });
      expect(datagrams, backend).toMatchObject({ error: null, servers: [backend, backend, backend] });
    }
    for (const backend of ['b', 'c']) {
      for (const plane of planes) plane.serve({ address: service[family], port: 80, backends: [backend], family });
      const answer = await net.at('a').ask({ do: 'tcp', to: service[family], port: 80, bytes: 100_000 });
      expect(answer, backend).toMatchObject({ error: null, servers: [backend] });
    }
    const beside = await net.at('a').ask({ do: 'tcp', to: net.addresses('b')[family], port: podPort, bytes: 100_000 });
    expect(beside).toMatchObject({ error: null, servers: ['b'] });
    expect([...(planes[0]?.plane.maps.neighbours.entries() ?? [])]).toEqual([]);
  } finally {
    for (const [at, { plane }] of planes.entries())
      for (const [ifindex, one] of known[at] ?? []) plane.maps.interfaces.set(ifindex, one);
  }
});

test('a process of the host reaches a service at its socket, and by datagrams those of pods do too', async () => {
  const host = net.traffic('node1', 'in the group');
  const [plane] = planes;
  plane?.serve({ address: service.v4, port: 80, backends: ['a'] });
  plane?.configure(configFlags.synced | configFlags.udpOfHostAlone);
  expect(await host.ask({ do: 'tcp', to: service.v4, port: 80 })).toMatchObject({ error: null, servers: ['a'] });
  const asked = { do: 'udp', to: service.v4, port: 80, socket: 'connected' } as const;
  expect(await host.ask(asked)).toMatchObject({ error: null, servers: ['a'] });
  // Nobody tells whose loopback it is: it is left alone.
  plane?.serve({ address: everyNode.v4, port: nodePort, backends: ['a'], flags: serviceFlags.nodePort });
  expect(await host.ask({ do: 'tcp', to: '127.0.0.1', port: nodePort })).toMatchObject({ error: 'ECONNREFUSED' });
  plane?.configure(configFlags.synced);
});

/** As where the kernel has no links: nothing is attached by one. `failsAt` breaks off at so many of the calls that change what is attached or pinned. */
function withoutLinks(plane: DataPlane, failsAt = Number.POSITIVE_INFINITY): DataPlane {
  const { libbpf } = plane;
  let calls = 0;
  const fail = (call: string) => {
    if (['attachProgram', 'detachProgram', 'pin'].includes(call) && calls++ === failsAt) throw new Error('killed');
  };
  return {
    ...plane,
    libbpf: {
      ...libbpf,
      number(...given) {
        fail(given[0]);
        return libbpf.number(...given);
      },
      numberUnless(...given) {
        fail(given[1]);
        return given[1] === 'createLink' ? null : libbpf.numberUnless(...given);
      },
    },
  };
}

/** Programs of sockets that are attached to a folder of cgroup2. */
const attachedTo = (folder: string): { name: string; attach_type: string }[] =>
  JSON.parse(execFileSync('bpftool', ['-j', 'cgroup', 'show', folder], { encoding: 'utf8' }).trim() || '[]');

const hooksOf = (folder: string) => new Set(attachedTo(folder).map((one) => one.attach_type));

/** A folder of cgroup2, and where pins may be, for one test. */
async function atPlace(name: string, act: (place: SocketAttachment) => Promise<void> | void): Promise<void> {
  const cgroup = join(net.cgroup('node1'), name);
  mkdirSync(cgroup);
  try {
    await act({ cgroup, pins: join(net.bpffs, name) });
  } finally {
    rmdirSync(cgroup);
  }
}

const twoPlanes = () => {
  const [one, other] = planes.map(({ plane }) => plane);
  if (!one || !other) throw new Error('no planes');
  return [one, other] as const;
};

test('without links the programs of sockets are attached by themselves, renewed, and detached again', () =>
  atPlace('without-links', (place) => {
    const [one, other] = twoPlanes();
    // The same once more, as after somebody has detached one of them; then those of a later agent.
    for (const plane of [one, one, other].map((given) => withoutLinks(given))) {
      attachSockets(plane, place)();
      expect(areSocketsAttached(plane, place)).toBe(true);
      expect(attachedTo(place.cgroup)).toHaveLength(6);
    }
    expect(attachedTo(place.cgroup)).toContainEqual(expect.objectContaining({ name: 'connect4_plain' }));
    detachPinnedPrograms(one.libbpf, place.pins);
    expect(areSocketsAttached(withoutLinks(other), place)).toBe(false);
    expect(attachedTo(place.cgroup)).toEqual([]);
  }));

test('what was attached without links is renewed without, also where there are some', () =>
  atPlace('no-links-before', (place) => {
    const [one, other] = twoPlanes();
    for (const breaks of [null, 1] as const) {
      const before = withoutLinks(one, breaks ?? undefined);
      if (breaks === null) attachSockets(before, place)();
      else expect(() => attachSockets(before, place)).toThrow('killed');
      for (const plane of [other, other]) attachSockets(plane, place)();
      expect(attachedTo(place.cgroup), `${breaks}`).toHaveLength(6);
      expect(areSocketsAttached(other, place)).toBe(true);
      detachPinnedPrograms(one.libbpf, place.pins);
      rmSync(place.pins, { recursive: true });
      expect(attachedTo(place.cgroup), `${breaks}`).toEqual([]);
    }
  }));

test('whoever is killed while it attaches leaves nothing that `leave` or the next one does not find', () =>
  atPlace('killed', (place) => {
    const [one, other] = twoPlanes();
    // Each hook takes three: to pin, to attach, to detach the earlier one.
    for (const breaks of [0, 1, 2, 3])
      for (const then of ['leave', 'next'] as const) {
        rmSync(place.pins, { recursive: true, force: true });
        attachSockets(withoutLinks(one), place)();
        expect(() => attachSockets(withoutLinks(other, breaks), place)).toThrow('killed');
        expect(hooksOf(place.cgroup).size, `never without, ${breaks}`).toBe(6);
        if (then === 'next') {
          attachSockets(withoutLinks(other), place)();
          expect(areSocketsAttached(withoutLinks(other), place)).toBe(true);
          expect(attachedTo(place.cgroup), `${breaks}`).toHaveLength(6);
        }
        detachPinnedPrograms(one.libbpf, place.pins);
        expect(attachedTo(place.cgroup), `${then}, ${breaks}`).toEqual([]);
      }
  }));

test('who attaches without pins lets go of what it has attached, and of nothing else', () =>
  atPlace('without-pins', (place) => {
    const [one] = twoPlanes();
    attachSockets(withoutLinks(one), place)();
    const letGo = attachSockets(withoutLinks(one), { ...place, pins: null });
    letGo();
    expect(attachedTo(place.cgroup)).toHaveLength(6);
    detachPinnedPrograms(one.libbpf, place.pins);
    attachSockets(withoutLinks(one), { ...place, pins: null })();
    expect(attachedTo(place.cgroup)).toEqual([]);
  }));

test('a node that is left has no programs without links, and what would be left does nothing', () =>
  atPlace('left', async ({ cgroup, pins }) => {
    const { maps, links } = pinsOf(pins);
    const plane = loadDataPlane({ pins: maps, has: older });
    try {
      plane.maps.config.set(0, { ...noConfig, flags: configFlags.synced });
      attachSockets(withoutLinks(plane), { cgroup, pins: links })();
      expect(attachedTo(cgroup)).toHaveLength(6);
      expect(await leaveNode(pins, null)).toBeGreaterThan(6);
      expect(attachedTo(cgroup)).toEqual([]);
      expect(existsSync(pins)).toBe(false);
      expect(plane.maps.config.get(0)?.flags).toBe(0);
    } finally {
      plane.close();
    }
  }));
