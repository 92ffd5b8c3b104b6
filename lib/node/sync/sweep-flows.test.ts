import { expect, test } from 'vitest';
import { type Flow, flowFlags, flowTypes, protocols, tcpSeen } from '../bpf/index.ts';
import { mapsInMemory } from '../bpf/testing/maps-in-memory.ts';
import { Present } from '../services/present.ts';
import { FlowSweep } from './sweep-flows.ts';

const { syn, ack, fin, rst } = tcpSeen;
const nowS = 10_000;

const flow = (ageS: number, tcp: readonly [number, number], more: Partial<Flow> = {}): Flow => ({
  ...{ lastNs: BigInt(nowS - ageS) * 1_000_000_000n, createdNs: 0n, packets: [1n, 1n], bytes: [1n, 1n] },
  ...{ rule: [0, 0], ifindex: [0, 0], client: '10.0.0.1', service: '10.96.0.1', backend: '10.0.1.1', peerNode: '::' },
  ...{ clientPort: 1, servicePort: 80, backendPort: 8080, snatPort: 1, serviceId: 7, flags: 0 },
  ...{ type: flowTypes.backend, tcp, acknowledged: [0, 0], ...more },
});

/** Of the one Service there is: on another node, and on this one. */
const backends = [
  { address: '10.0.1.1', port: 8080, node: '10.0.0.2', isLocal: false, isHost: false },
  { address: '10.0.1.2', port: 8080, node: '10.0.0.1', isLocal: true, isHost: false },
];
const present = new Present();
for (const [slot, value] of backends.entries()) present.apply({ map: 'backends', id: 7, list: 'cluster', slot, value });

const { fromOutside } = flowFlags;
const { handedOn } = flowTypes;

const sweepOf = (...flows: (readonly [keyof typeof protocols, Flow])[]) => {
  const maps = mapsInMemory();
  for (const [index, [protocol, one]] of flows.entries())
    maps.flows.set({ a: '10.0.0.1', b: '10.0.1.1', aPort: index, bPort: 8080, protocol: protocols[protocol] }, one);
  const sweep = new FlowSweep(maps, (...of) => present.hasBackend(...of));
  const pass = (mostLooks = 1000) => sweep.pass(BigInt(nowS) * 1_000_000_000n, mostLooks, new AbortController().signal);
  return { maps, sweep, pass };
};

test.each<[string, keyof typeof protocols, Flow, string | null]>([
  ['a connection that nobody answered, yet', 'TCP', flow(49, [syn, 0]), null],
  ['a connection that nobody answered', 'TCP', flow(51, [syn, 0]), 'opening'],
  ['a connection that is silent for an hour', 'TCP', flow(3629, [syn | ack, syn | ack]), null],
  ['a connection that is silent for longer', 'TCP', flow(3631, [syn | ack, syn | ack]), 'established'],
  ['a connection whose answers go another way', 'TCP', flow(3000, [ack, 0], { type: flowTypes.handedOn }), null],
  ['a connection that one end has closed', 'TCP', flow(3000, [ack | fin, ack]), null],
  ['one of these that its client has closed', 'TCP', flow(149, [ack | fin, 0], { type: flowTypes.handedOn }), null],
  ['one, for longer', 'TCP', flow(151, [ack | fin, 0], { type: flowTypes.handedOn }), 'half-closed'],
  ['a connection that both have closed', 'TCP', flow(61, [ack | fin, ack | fin]), 'closed'],
  ['a connection that was reset', 'TCP', flow(61, [ack, ack | rst]), 'closed'],
  ['a datagram', 'UDP', flow(89, [0, 0]), null],
  ['a datagram of long ago', 'UDP', flow(91, [0, 0]), 'datagram'],
  ['a datagram to a backend that went', 'UDP', flow(0, [0, 0], { backend: '10.0.1.9' }), 'backend-gone'],
  ['a datagram to a Service that went', 'UDP', flow(0, [0, 0], { serviceId: 8 }), 'backend-gone'],
  ['a datagram to where its backend is', 'UDP', flow(0, [0, 0], { type: handedOn, peerNode: '10.0.0.2' }), null],
  ['one to where it was', 'UDP', flow(0, [0, 0], { type: handedOn, peerNode: '10.0.0.9' }), 'backend-gone'],
  ['one from outside to here', 'UDP', flow(0, [0, 0], { flags: fromOutside, backend: '10.0.1.2' }), null],
  ['one from outside to here no more', 'UDP', flow(0, [0, 0], { flags: fromOutside }), 'backend-gone'],
  ['one of a pod to another here', 'UDP', flow(0, [0, 0], { ifindex: [3, 4], backend: '10.0.1.2' }), null],
  ['one of a pod to where none is any more', 'UDP', flow(0, [0, 0], { ifindex: [3, 4] }), 'backend-gone'],
  ['one of a pod that goes by routes', 'UDP', flow(0, [0, 0], { ifindex: [0, 4] }), null],
  ['a connection to where its backend was', 'TCP', flow(0, [ack, 0], { type: handedOn, peerNode: '10.0.0.9' }), null],
  ['a connection to a backend that went', 'TCP', flow(0, [ack, ack], { backend: '10.0.1.9' }), null],
])('%s', async (_, protocol, one, because) => {
  const { maps, sweep, pass } = sweepOf([protocol, one]);
  await pass();
  expect([...maps.flows.entries()]).toHaveLength(because === null ? 1 : 0);
  expect(Object.entries(sweep.removed).filter(([, count]) => count > 0)).toEqual(
    because === null ? [] : [[because, 1]],
  );
});

test('a pass looks at no more than it may, and the next one goes on from there', async () => {
  const old = () => ['UDP', flow(1000, [0, 0])] as const;
  const { sweep, pass } = sweepOf(old(), old(), old(), old(), old());
  const counts: number[] = [];
  for (let passes = 0; passes < 4; passes++) {
    await pass(2);
    counts.push(sweep.removed.datagram);
  }
  expect(counts).toEqual([2, 4, 5, 5]);
});

test('of many a pass looks at a part such that a dozen come to the end of all', async () => {
  const { maps, sweep, pass } = sweepOf(...Array.from({ length: 120 }, () => ['UDP', flow(1, [0, 0])] as const));
  await pass();
  for (const [key] of [...maps.flows.entries()]) maps.flows.set(key, flow(1000, [0, 0]));
  const counts: number[] = [];
  for (let passes = 0; passes < 12; passes++) {
    await pass(2);
    counts.push(sweep.removed.datagram);
  }
  expect(counts.slice(0, 2).concat(counts.slice(-1))).toEqual([10, 20, 120]);
});

test('of many that have come since the last time a dozen passes come to the end of all, too', async () => {
  const { sweep, pass } = sweepOf(...Array.from({ length: 6000 }, () => ['UDP', flow(1000, [0, 0])] as const));
  for (let passes = 0; passes < 12; passes++) await pass(60);
  expect(sweep.removed.datagram).toBe(6000);
});

test('where a backend went all is looked at, wherever the last pass has ended', async () => {
  const old = () => ['UDP', flow(1000, [0, 0])] as const;
  const { maps, sweep, pass } = sweepOf(old(), old(), old(), old());
  await pass(3);
  for (const index of [0, 1])
    maps.flows.set({ a: '10.0.0.1', b: '10.0.1.1', aPort: index, bPort: 8080, protocol: 17 }, old()[1]);
  await sweep.sweepAll(BigInt(nowS) * 1_000_000_000n, new AbortController().signal);
  expect([...maps.flows.entries()]).toEqual([]);
});

test('what is over between pods of the node is taken out too, after the flows', async () => {
  const { maps, sweep, pass } = sweepOf(['UDP', flow(1000, [0, 0])]);
  const between = (aPort: number, ageS: number, tcp: readonly [number, number]) =>
    maps.neighbours.set(
      { a: '10.0.0.1', b: '10.0.0.2', aPort, bPort: 80, protocol: protocols.TCP },
      { lastNs: BigInt(nowS - ageS) * 1_000_000_000n, ifindex: [3, 4], tcp, endOf: 0, isLast: 0, end: 0 },
    );
  between(1, 3600, [ack, ack]);
  between(2, 3631, [ack, ack]);
  between(3, 51, [0, syn]);
  between(4, 61, [ack | rst, ack]);
  await pass(3);
  expect(sweep.removed).toMatchObject({ datagram: 1, established: 1, opening: 0, closed: 0 });
  await pass();
  expect([...maps.neighbours.entries()].map(([{ aPort }]) => aPort)).toEqual([1]);
  expect(sweep.removed).toMatchObject({ datagram: 1, established: 1, opening: 1, closed: 1 });
});
