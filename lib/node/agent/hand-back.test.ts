import { expect, test } from 'vitest';
import { type Flow, flowTypes, protocols, tcpSeen } from '../bpf/index.ts';
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
  ['one that nobody answered', 'TCP', { tcp: [syn, 0] }, { kept: 0, ended: 0 }],
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

test('what the kernel does not take ends', () => {
  const maps = mapsInMemory();
  maps.flows.set({ a: '10.0.0.1', b: '10.96.0.1', aPort: 4000, bPort: 80, protocol: protocols.TCP }, established);
  expect(handBack(maps, () => 0)).toEqual({ kept: 0, ended: 1 });
});
