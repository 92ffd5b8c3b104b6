import { afterAll, test as anyTest, beforeAll, expect } from 'vitest';
import { configFlags, serviceFlags } from '#lib/node/bpf/index.ts';
import { canRunPrograms } from './testing/can-run-programs.ts';
import { datagramPacket, framesOf, frameTo, tunnelPacket, withPriority } from './testing/frames.ts';
import { type Family, type NodePlane, nodePlane, podPort } from './testing/node-plane.ts';
import { withEthernetHeader } from './testing/packets.ts';
import { addressesIn, type Topology, topology } from './testing/topology.ts';
import type { Traffic } from './testing/traffic.ts';
import { everyNode, families } from './testing/two-nodes.ts';
import { type Wire, wire } from './testing/wire.ts';

/** NodePorts whose backend runs on another node than the one that was asked: the client's packet travels to it as it came. */

const test = anyTest.runIf(canRunPrograms);

const nodes = ['node1', 'node2', 'node3'];
const pods = [
  { pod: 'a', node: 'node1' },
  { pod: 'c', node: 'node2' },
  { pod: 'silent', node: 'node2' },
];
const nodePort = 30080;
const icmpOf = { v4: 1, v6: 58 } as const;
/** The type of ICMP that says so. */
const unreachableOf = { v4: 3, v6: 1 } as const;

let net: Topology;
let planes: readonly NodePlane[];
const wires: Wire[] = [];

beforeAll(async () => {
  if (!canRunPrograms) return;
  net = topology(nodes, pods);
  planes = nodes.map((node) => nodePlane(net, node, { nodes, pods }));
  for (const place of ['a', 'c', 'node2']) await from(place).ask({ do: 'serve', name: place, port: podPort });
});

afterAll(async () => {
  for (const one of wires) one.close();
  for (const plane of planes ?? []) plane.close();
  await net?.close();
});

const from = (place: string): Traffic => net.at(place);

function serve(family: Family, ...backends: readonly string[]) {
  const flags = serviceFlags.nodePort;
  for (const plane of planes) plane.serve({ address: everyNode[family], port: nodePort, backends, family, flags });
}

const backendsElsewhere = families.flatMap((family) => [
  [family, 'a pod', 'c'] as const,
  [family, "a process in the host's network", 'node2'] as const,
]);

test.each(backendsElsewhere)(
  'by TCP (%s) a client reaches %s of another node, which sees its address',
  async (family, _, backend) => {
    serve(family, backend);
    const answer = await from('client').ask({
      do: 'tcp',
      to: net.addresses('node1')[family],
      port: nodePort,
      bytes: 3_000_000,
    });
    expect(answer).toEqual({
      error: null,
      servers: [backend],
      seen: net.addresses('client')[family],
      peer: net.addresses('node1')[family],
    });
  },
);

test.each(backendsElsewhere)('by datagrams (%s) a client reaches %s of another node', async (family, _, backend) => {
  serve(family, backend);
  const answer = await from('client').ask({
    do: 'udp',
    to: net.addresses('node1')[family],
    port: nodePort,
    socket: 'connected',
    times: 3,
  });
  expect(answer).toMatchObject({
    error: null,
    servers: [backend, backend, backend],
    seen: net.addresses('client')[family],
  });
});

test.each(families)(
  'between the nodes all of it is in the tunnel (%s), and both ends are told of segments that fit',
  async (family) => {
    serve(family, 'c');
    const [onNode1, onClient] = [wire(net, 'router', 'node1'), wire(net, 'router', 'client')];
    wires.push(onNode1, onClient);
    const [client, node1, node2] = addressesIn(net, family, 'client', 'node1', 'node2');
    await from('client').ask({ do: 'tcp', to: node1 ?? '', port: nodePort, bytes: 20_000 });
    const seen = framesOf(onNode1.taken()).filter((one) => one.family === family && one.protocol !== 58);
    const ends = ({ source, destination }: { source: string; destination: string }) => `${source} > ${destination}`;
    expect(new Set(seen.map((one) => `${ends(one)}${one.inside ? ` (${ends(one.inside)})` : ''}`))).toEqual(
      new Set([
        `${client} > ${node1}`,
        `${node1} > ${node2} (${client} > ${node1})`,
        `${node2} > ${node1} (${node1} > ${client})`,
        `${node1} > ${client}`,
      ]),
    );
    const fits = family === 'v4' ? 1450 - 40 : 1430 - 60;
    const clientSegments = [...seen.flatMap(({ inside }) => inside ?? []), ...framesOf(onClient.taken())].filter(
      ({ segmentSize, inside, source }) => segmentSize !== null && !inside && source === node1,
    );
    const backendSegmentSizes = seen.flatMap(({ inside }) =>
      inside?.source === client ? (inside?.segmentSize ?? []) : [],
    );
    expect(new Set([...clientSegments.map(({ segmentSize }) => segmentSize), ...backendSegmentSizes])).toEqual(
      new Set([fits]),
    );
    expect(backendSegmentSizes).not.toEqual([]);
  },
);

test.each(families)('segments that fit into the tunnel (%s) leave both nodes as long as they came', async (family) => {
  serve(family, 'c');
  const cutAbove = (bytes: number) => {
    for (const node of ['node1', 'node2'])
      net.on(node, 'ip', 'link', 'set', 'dev', 'eth0', 'gso_max_size', String(bytes));
  };
  const onNode1 = wire(net, 'router', 'node1');
  wires.push(onNode1);
  // A virtual link carries many segments at once; so each is a packet of its own, as on a real one.
  cutAbove(1400);
  try {
    await from('client').ask({ do: 'tcp', to: net.addresses('node1')[family], port: nodePort, bytes: 40_000 });
  } finally {
    cutAbove(65_536);
  }
  const carried = framesOf(onNode1.taken()).filter((one) => one.family === family && one.inside);
  const longestFrom = (node: string) =>
    Math.max(...carried.filter(({ source }) => source === net.addresses(node)[family]).map(({ length }) => length));
  expect([longestFrom('node1'), longestFrom('node2')]).toEqual([1500, 1500]);
});

test.each(families)('the same port of a client by two front nodes (%s) is two flows to one backend', async (family) => {
  serve(family, 'c');
  const ask = (node: string) =>
    from('client').ask({
      do: 'udp',
      to: net.addresses(node)[family],
      port: nodePort,
      socket: 'connected',
      clientPort: 40_000,
    });
  for (const node of ['node1', 'node3', 'node1', 'node3'])
    expect(await ask(node)).toMatchObject({ error: null, servers: ['c'], peer: net.addresses(node)[family] });
});

test.each(
  families.flatMap((family) =>
    (
      [
        ['a pod', 'a', 'of its own node', 'a'],
        ['a pod', 'a', 'of that one', 'c'],
        ['a process of a node', 'node1', 'of its own node', 'a'],
        ['a process of a node', 'node1', 'of that one', 'c'],
      ] as const
    ).map((way) => [family, ...way] as const),
  ),
)('by the node port of another node (%s) %s (%s) reaches a pod %s', async (family, _who, place, _where, backend) => {
  serve(family, backend);
  const to = net.addresses('node2')[family];
  const answer = await from(place).ask({ do: 'tcp', to, port: nodePort, bytes: 100_000 });
  expect(answer).toMatchObject({ error: null, servers: [backend] });
});

test.each(families)(
  'a client is told through the tunnel that no process of a backend takes its datagrams (%s)',
  async (family) => {
    serve(family, 'silent');
    const to = net.addresses('node1')[family];
    const answer = await from('client').ask({ do: 'udp', to, port: nodePort, socket: 'connected' });
    expect(answer).toMatchObject({ error: 'ECONNREFUSED' });
  },
);

test.each([
  ['v4', 'iptables', 'icmp-host-unreachable'],
  ['v6', 'ip6tables', 'icmp6-addr-unreachable'],
] as const)(
  'a client is told through the tunnel that a backend is not to be reached (%s), and not by a name that it does not know',
  async (family, program, because) => {
    serve(family, 'silent');
    const onClient = wire(net, 'router', 'client');
    wires.push(onClient);
    const rule = ['INPUT', '-p', 'tcp', '--dport', String(podPort), '-j', 'REJECT', '--reject-with', because];
    net.on('silent', program, '-A', ...rule);
    const to = net.addresses('node1')[family];
    const answer = await from('client').ask({ do: 'tcp', to, port: nodePort });
    net.on('silent', program, '-D', ...rule);
    expect(answer).toMatchObject({ error: 'EHOSTUNREACH' });
    const errors = framesOf(onClient.taken()).filter(
      ({ protocol, transport }) => protocol === icmpOf[family] && transport[0] === unreachableOf[family],
    );
    const quoted = framesOf(errors.map(({ transport }) => withEthernetHeader(transport.subarray(8))));
    expect(new Set(quoted.map(({ destination, destinationPort }) => `${destination} ${destinationPort}`))).toEqual(
      new Set([`${to} ${nodePort}`]),
    );
  },
);

test.each(families)(
  'a backend is told through the tunnel that its client is not to be reached (%s)',
  async (family) => {
    serve(family, 'c');
    const [client, node1, node2, c] = addressesIn(net, family, 'client', 'node1', 'node2', 'c');
    expect(await from('client').ask({ do: 'open', to: node1 ?? '', port: nodePort })).toMatchObject({ error: null });
    const [onNode1, toPod] = [wire(net, 'router', 'node1'), wire(net, 'c', 'eth0')];
    wires.push(onNode1, toPod);
    const route = ['ip', family === 'v4' ? '-4' : '-6', 'route'] as const;
    const unreachable = ['unreachable', client ?? ''];
    net.on('router', ...route, 'add', ...unreachable);
    const finished = from('client').ask({ do: 'finish' });
    const errorsAbout: string[] = [];
    try {
      await expect
        .poll(() => {
          const errors = framesOf(toPod.taken()).filter(
            ({ protocol, transport }) => protocol === icmpOf[family] && transport[0] === unreachableOf[family],
          );
          errorsAbout.push(
            ...framesOf(errors.map(({ transport }) => withEthernetHeader(transport.subarray(8)))).map(
              ({ source, sourcePort, destination }) => `${source}:${sourcePort} > ${destination}`,
            ),
          );
          return errorsAbout[0];
        })
        .toBe(`${c}:${podPort} > ${client}`);
    } finally {
      net.on('router', ...route, 'del', ...unreachable);
    }
    const ways = framesOf(onNode1.taken()).flatMap((one) =>
      one.inside?.protocol === icmpOf[family] ? [`${one.source} > ${one.destination}`] : [],
    );
    expect(new Set(ways)).toEqual(new Set([`${node1} > ${node2}`]));
    // The error does not end the connection: what the client sends next arrives.
    expect(await finished).toMatchObject({ error: null, servers: ['c'] });
  },
);

test.each(families)('with DSR (%s) the answer goes to the client by no tunnel', async (family) => {
  serve(family, 'c');
  for (const plane of planes) plane.configure(configFlags.synced | configFlags.dsr);
  const onNode1 = wire(net, 'router', 'node1');
  wires.push(onNode1);
  const [client, node1] = addressesIn(net, family, 'client', 'node1');
  const answer = await from('client').ask({ do: 'tcp', to: node1 ?? '', port: nodePort, bytes: 1_000_000 });
  for (const plane of planes) plane.configure(configFlags.synced);
  expect(answer).toMatchObject({ error: null, servers: ['c'], seen: client, peer: node1 });
  const back = framesOf(onNode1.taken()).filter((one) => (one.inside ?? one).destination === client);
  expect(back).toEqual([]);
});

test('what comes by a tunnel of another than the flow, or of no node at all, reaches nobody', async () => {
  serve('v4', 'c');
  const [toNode2, toPod] = [wire(net, 'router', 'node2'), wire(net, 'c', 'eth0')];
  wires.push(toNode2, toPod);
  const [client, node1, node2, node3] = ['client', 'node1', 'node2', 'node3'].map((place) => net.addresses(place).v4);
  const ports = { sourcePort: 41_000, destinationPort: nodePort };
  const datagram = (payload: string) =>
    datagramPacket({ source: client ?? '', destination: node1 ?? '', ...ports, payload: Buffer.from(payload) });
  const mac = net.mac('node2', 'eth0');
  const cases = [
    ['as it should', node1],
    ['as another node', node3],
    ['as a client', client],
    ['as it should, again', node1],
  ] as const;
  for (const [payload, source] of cases)
    toNode2.send(frameTo(mac, tunnelPacket(source ?? '', node2 ?? '', datagram(payload))));
  const arrived: string[] = [];
  await expect
    .poll(() => {
      arrived.push(...framesOf(toPod.taken()).flatMap(textFrom));
      return arrived.includes('as it should, again');
    })
    .toBe(true);
  expect(arrived).toEqual(['as it should', 'as it should, again']);
});

test('for a node port at an address that no Node object names, what the tunnel brings is served, but no answer of a lost flow', async () => {
  serve('v4', 'c');
  const [toNode2, toPod] = [wire(net, 'router', 'node2'), wire(net, 'c', 'eth0')];
  wires.push(toNode2, toPod);
  const [client, node1, node2] = ['client', 'node1', 'node2'].map((place) => net.addresses(place).v4);
  const datagram = (source: string, destination: string, payload: string) =>
    datagramPacket({
      ...{ source, destination, sourcePort: nodePort, destinationPort: nodePort },
      payload: Buffer.from(payload),
    });
  // Of node1, which has checked it; of node2 itself, as its front would have it, to a client with just that port.
  const [virtual, answer] = ['at a virtual address', 'an answer'];
  for (const inside of [datagram(node2 ?? '', client ?? '', answer), datagram(client ?? '', '10.88.1.77', virtual)])
    toNode2.send(frameTo(net.mac('node2', 'eth0'), tunnelPacket(node1 ?? '', node2 ?? '', inside)));
  const arrived: string[] = [];
  await expect
    .poll(() => {
      arrived.push(...framesOf(toPod.taken()).flatMap(textFrom));
      return arrived.includes(virtual);
    })
    .toBe(true);
  expect(arrived).toEqual([virtual]);
});

test('what has a tag of no VLAN, but of a priority, is served as what has none', async () => {
  serve('v4', 'c');
  const [toNode1, toPod] = [wire(net, 'router', 'node1'), wire(net, 'c', 'eth0')];
  wires.push(toNode1, toPod);
  const ends = { source: net.addresses('client').v4, destination: net.addresses('node1').v4 };
  const asked = datagramPacket({
    ...ends,
    sourcePort: 41_001,
    destinationPort: nodePort,
    payload: Buffer.from('at once'),
  });
  toNode1.send(withPriority(frameTo(net.mac('node1', 'eth0'), asked)));
  await expect.poll(() => framesOf(toPod.taken()).flatMap(textFrom)).toContain('at once');
});

test('no pod can play a node, neither towards another nor towards its own', async () => {
  serve('v4', 'c');
  const [pod, onNode1, toPod] = [wire(net, 'a', 'eth0'), wire(net, 'router', 'node1'), wire(net, 'c', 'eth0')];
  wires.push(pod, onNode1, toPod);
  const [a, node1, node2] = ['a', 'node1', 'node2'].map((place) => net.addresses(place).v4);
  const ends = { source: a ?? '', destination: node2 ?? '', sourcePort: 41_000 };
  const inside = datagramPacket({
    ...ends,
    destination: node1 ?? '',
    destinationPort: nodePort,
    payload: Buffer.from('x'),
  });
  const mac = net.mac('node1', 'a');
  const forged = frameTo(mac, tunnelPacket(a ?? '', node2 ?? '', inside));
  for (const frame of [forged, withPriority(forged), withPriority(withPriority(forged))]) pod.send(frame);
  pod.send(frameTo(mac, datagramPacket({ ...ends, destinationPort: 9, payload: Buffer.from('no tunnel') })));
  const left: number[] = [];
  await expect
    .poll(() => {
      left.push(...framesOf(onNode1.taken()).flatMap((one) => (one.source === a ? one.destinationPort : [])));
      return left.includes(9);
    })
    .toBe(true);
  expect(left).toEqual([9]);
});

const textFrom = ({ protocol, destinationPort, transport }: ReturnType<typeof framesOf>[number]) =>
  protocol === 17 && destinationPort === podPort ? [transport.subarray(8).toString()] : [];

test.each(families)('a node that has no backend any more (%s) refuses through the tunnel', async (family) => {
  serve(family, 'c');
  planes[1]?.serve({ address: everyNode[family], port: nodePort, backends: [], family, flags: serviceFlags.nodePort });
  const to = net.addresses('node1')[family];
  for (const ask of [{ do: 'tcp' }, { do: 'udp', socket: 'connected' }] as const)
    expect(await from('client').ask({ ...ask, to, port: nodePort })).toMatchObject({ error: 'ECONNREFUSED' });
});

test.each([
  ['v4', 1450 - 28],
  ['v6', 1430 - 48],
] as const)(
  'a datagram (%s) that fits goes through the tunnel, and of a longer one the client is told',
  async (family, most) => {
    serve(family, 'c');
    const ask = (bytes: number) =>
      from('client').ask({ do: 'udp', to: net.addresses('node1')[family], port: nodePort, socket: 'connected', bytes });
    expect(await ask(most)).toMatchObject({ error: null, servers: ['c'] });
    expect(await ask(most + 1)).toMatchObject({ error: 'EMSGSIZE' });
  },
);

test.each(
  families.flatMap((family) => [
    [family, 'through the tunnel', 0] as const,
    [family, 'directly', configFlags.dsr] as const,
  ]),
)('a client behind a small MTU (%s) gets all of an answer that comes %s', async (family, _, dsr) => {
  serve(family, 'c');
  for (const plane of planes) plane.configure(configFlags.synced | dsr);
  net.on('router', 'ip', 'link', 'set', 'client', 'mtu', '1300');
  const onNode1 = wire(net, 'router', 'node1');
  wires.push(onNode1);
  const to = net.addresses('node1')[family];
  const answer = await from('client').ask({ do: 'tcp', to, port: nodePort, bytes: 30_000 });
  net.on('router', 'ip', 'link', 'set', 'client', 'mtu', '1500');
  for (const plane of planes) plane.configure(configFlags.synced);
  net.on('c', 'ip', family === 'v4' ? '-4' : '-6', 'route', 'flush', 'cache');
  expect(answer).toMatchObject({ error: null, servers: ['c'] });
  // The router sent the error to the node that the client asked, and that node passed it on to the backend's node.
  const errors = framesOf(onNode1.taken()).filter((one) => one.inside?.protocol === icmpOf[family]);
  expect(errors.map(({ destination }) => destination)).toContain(net.addresses('node2')[family]);
});
