import { expect, test } from 'vitest';
import { type Flow, flowFlags, flowTypes, protocols, tcpSeen } from '../bpf/index.ts';
import { mapsInMemory } from '../bpf/testing/maps-in-memory.ts';
import type { TranslatedConnection } from '../host/host-connections.ts';
import { type Host, handBack } from './hand-back.ts';

const { syn, ack, fin } = tcpSeen;

const established: Flow = {
  ...{ lastNs: 0n, createdNs: 0n, packets: [2n, 2n], bytes: [1n, 1n], rule: [0, 0], ifindex: [0, 0] },
  ...{ client: '10.0.0.1', service: '10.96.0.1', backend: '10.0.1.1', peerNode: '::' },
  ...{ clientPort: 4000, servicePort: 80, backendPort: 8080, snatPort: 4000, serviceId: 7, flags: 0 },
  ...{ type: flowTypes.service, tcp: [syn | ack, syn | ack], acknowledged: [0, 0] },
};

const signal = new AbortController().signal;
const nowNs = 100_000n * 1_000_000_000n;
/** The time of an entry without a packet for so many seconds. */
const idle = (seconds: number) => ({ lastNs: nowNs - BigInt(seconds) * 1_000_000_000n });

/** A host with this much room, and the connections that it was given. */
function hostWith(room = Number.POSITIVE_INFINITY) {
  const given: TranslatedConnection[] = [];
  const host: Host = {
    room: () => room,
    async hand(all) {
      const some = [...all];
      given.push(...some);
      return some.length;
    },
  };
  return { given, host };
}

const key = (aPort = 4000, protocol: number = protocols.TCP) => ({
  ...{ a: '10.0.0.1', b: '10.96.0.1', aPort, bPort: 80, protocol },
});

test.each<[string, keyof typeof protocols, Partial<Flow>, { kept: number; ended: number }]>([
  ['a connection to a backend that is reached without a tunnel', 'TCP', {}, { kept: 1, ended: 0 }],
  ['its other half', 'TCP', { type: flowTypes.backend }, { kept: 0, ended: 0 }],
  ['one that was heard of an hour ago', 'TCP', idle(3601), { kept: 0, ended: 0 }],
  ['one that is handed to another node', 'TCP', { type: flowTypes.handedOn }, { kept: 0, ended: 1 }],
  [
    'one whose client has said its last and still listens',
    'TCP',
    { type: flowTypes.handedOn, tcp: [syn | ack | fin, 0], ...idle(100) },
    { kept: 0, ended: 1 },
  ],
  [
    'one whose client has listened for long enough',
    'TCP',
    { type: flowTypes.handedOn, tcp: [syn | ack | fin, 0], ...idle(121) },
    { kept: 0, ended: 0 },
  ],
  ['one that came from another node', 'TCP', { peerNode: '192.168.0.2' }, { kept: 0, ended: 1 }],
  ['one that the host may have masqueraded', 'TCP', { flags: flowFlags.byStack }, { kept: 0, ended: 1 }],
  ['a pod to itself', 'TCP', { backend: '10.0.0.1' }, { kept: 0, ended: 1 }],
  ['one that nobody answered yet', 'TCP', { tcp: [syn, 0] }, { kept: 1, ended: 0 }],
  ['one that nobody answered in time', 'TCP', { tcp: [syn, 0], ...idle(21) }, { kept: 0, ended: 0 }],
  ['one that both have closed', 'TCP', { tcp: [ack | fin, ack | fin] }, { kept: 0, ended: 0 }],
  ['datagrams', 'UDP', {}, { kept: 0, ended: 0 }],
])('%s', async (_, protocol, more, expected) => {
  const maps = mapsInMemory();
  maps.flows.set(key(4000, protocols[protocol]), { ...established, ...idle(1), ...more });
  const { given, host } = hostWith();
  expect(await handBack(maps, signal, { nowNs, host })).toEqual(expected);
  expect(given).toHaveLength(expected.kept);
});

const notClosed = { endOf: 0, isLast: 0, end: 0 };

test('the kernel is told of connections between pods that live, which nobody has translated', async () => {
  const maps = mapsInMemory();
  const to = { a: '10.0.0.1', b: '10.0.1.1', bPort: 8080, protocol: protocols.TCP };
  const one = { ...idle(1), ifindex: [7, 8], tcp: [syn | ack, syn | ack], ...notClosed };
  maps.neighbours.set({ ...to, aPort: 4000 }, one);
  maps.neighbours.set({ ...to, aPort: 4001 }, { ...one, tcp: [syn | ack | fin, syn | ack | fin] });
  maps.neighbours.set({ ...to, aPort: 4002 }, { ...one, ...idle(3601) });
  maps.neighbours.set({ ...to, aPort: 4003 }, { ...one, tcp: [syn, 0], ...idle(21) });
  maps.neighbours.set({ ...to, aPort: 4004 }, { ...one, tcp: [0, syn] });
  const { given, host } = hostWith();
  expect(await handBack(maps, signal, { nowNs, host })).toEqual({ kept: 0, ended: 0 });
  const backend = { service: to.b, servicePort: to.bPort, backend: to.b, backendPort: to.bPort };
  const opener = { client: to.b, clientPort: to.bPort, seenPort: to.bPort, isOpening: true };
  expect(given).toEqual([
    { client: to.a, clientPort: 4000, seenPort: 4000, isOpening: false, ...backend },
    { ...opener, service: to.a, servicePort: 4004, backend: to.a, backendPort: 4004 },
  ]);
});

test('connections for which the kernel has no room end, those still opening first', async () => {
  const maps = mapsInMemory();
  maps.flows.set(key(4000), { ...established, ...idle(1), clientPort: 4000, tcp: [syn, 0] });
  for (const clientPort of [4001, 4002]) maps.flows.set(key(clientPort), { ...established, ...idle(1), clientPort });
  const neighbours = { a: '10.0.0.1', b: '10.0.1.1', aPort: 5000, bPort: 8080, protocol: protocols.TCP };
  maps.neighbours.set(neighbours, { ...idle(1), ifindex: [7, 8], tcp: [syn | ack, syn | ack], ...notClosed });
  const { given, host } = hostWith(2);
  expect(await handBack(maps, signal, { nowNs, host })).toEqual({ kept: 2, ended: 1 });
  expect(given.map(({ clientPort, isOpening }) => [clientPort, isOpening])).toEqual([
    [4001, false],
    [4002, false],
  ]);
});

test('connections that the kernel refuses end', async () => {
  const maps = mapsInMemory();
  maps.flows.set(key(), { ...established, ...idle(1) });
  const host = { ...hostWith().host, hand: async () => 0 };
  expect(await handBack(maps, signal, { nowNs, host })).toEqual({ kept: 0, ended: 1 });
});

test('it is interrupted while it reads, and hands nothing over then', async () => {
  const maps = mapsInMemory();
  for (let port = 1; port <= 1000; port++) maps.flows.set(key(port), { ...established, ...idle(1) });
  const { given, host } = hostWith();
  const stop = new AbortController();
  setImmediate(() => stop.abort(new Error('SIGINT')));
  await expect(handBack(maps, stop.signal, { nowNs, host })).rejects.toThrow('SIGINT');
  expect(given).toEqual([]);
});
