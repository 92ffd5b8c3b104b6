import { expect, test } from 'vitest';
import { configFlags, type Flow, flowTypes, protocols, tcpSeen } from '../bpf/index.ts';
import { mapsInMemory } from '../bpf/testing/maps-in-memory.ts';
import type { Translated } from '../host/host-connections.ts';
import { handBack } from './hand-back.ts';

const { syn, ack, fin } = tcpSeen;

const established: Flow = {
  ...{ lastNs: 0n, createdNs: 0n, packets: [2n, 2n], bytes: [1n, 1n], rule: [0, 0], ifindex: [0, 0] },
  ...{ client: '10.0.0.1', service: '10.96.0.1', backend: '10.0.1.1', peerNode: '::' },
  ...{ clientPort: 4000, servicePort: 80, backendPort: 8080, snatPort: 4000, serviceId: 7, flags: 0 },
  ...{ type: flowTypes.service, tcp: [syn | ack, syn | ack] },
};

test.each<[string, keyof typeof protocols, Partial<Flow>, { kept: number; ended: number }]>([
  ['a connection to a backend that is reached without a tunnel', 'TCP', {}, { kept: 1, ended: 0 }],
  ['its other half', 'TCP', { type: flowTypes.backend }, { kept: 0, ended: 0 }],
  ['one that is handed to another node', 'TCP', { type: flowTypes.handedOn }, { kept: 0, ended: 1 }],
  ['one that came from another node', 'TCP', { peerNode: '192.168.0.2' }, { kept: 0, ended: 1 }],
  ['a pod to itself', 'TCP', { backend: '10.0.0.1' }, { kept: 0, ended: 1 }],
  ['one that nobody answered yet', 'TCP', { tcp: [syn, 0] }, { kept: 1, ended: 0 }],
  ['one that both have closed', 'TCP', { tcp: [ack | fin, ack | fin] }, { kept: 0, ended: 0 }],
  ['datagrams', 'UDP', {}, { kept: 0, ended: 0 }],
])('%s', (_, protocol, more, expected) => {
  const maps = mapsInMemory();
  maps.flows.set(
    { a: '10.0.0.1', b: '10.96.0.1', aPort: 4000, bPort: 80, protocol: protocols[protocol] },
    { ...established, ...more },
  );
  const handed: Translated[] = [];
  const told = handBack(maps, (all) => {
    handed.push(...all);
    return handed.length;
  });
  expect(told).toEqual(expected);
  expect(handed).toHaveLength(expected.kept);
});

test('the kernel is told of connections between pods, which nobody has translated', () => {
  const maps = mapsInMemory();
  const key = { a: '10.0.0.1', b: '10.0.1.1', bPort: 8080, protocol: protocols.TCP };
  const one = { lastNs: 0n, ifindex: [7, 8], tcp: [syn | ack, syn | ack] };
  maps.neighbours.set({ ...key, aPort: 4000 }, one);
  maps.neighbours.set({ ...key, aPort: 4001 }, { ...one, tcp: [syn | ack | fin, syn | ack | fin] });
  const handed: Translated[] = [];
  const hand = (all: Iterable<Translated>) => {
    handed.push(...all);
    return 0;
  };
  expect(handBack(maps, hand)).toEqual({ kept: 0, ended: 0 });
  const backend = { service: key.b, servicePort: key.bPort, backend: key.b, backendPort: key.bPort };
  expect(handed).toEqual([{ client: key.a, clientPort: 4000, seenPort: 4000, ...backend }]);
});

test('before any is handed over, no more of them begin', () => {
  const maps = mapsInMemory();
  const addresses = { nodeV4: '10.0.0.9', nodeV6: '::' };
  maps.config.set(0, { flags: configFlags.synced, vni: 1, tunnelPort: 4789, tunnelMtu: 1450, ...addresses });
  let flags: number | undefined;
  handBack(maps, () => {
    flags = maps.config.get(0)?.flags;
    return 0;
  });
  expect(flags).toBe(configFlags.synced | configFlags.leaving);
});

test('what the kernel does not take ends', () => {
  const maps = mapsInMemory();
  maps.flows.set({ a: '10.0.0.1', b: '10.96.0.1', aPort: 4000, bPort: 80, protocol: protocols.TCP }, established);
  expect(handBack(maps, () => 0)).toEqual({ kept: 0, ended: 1 });
});
