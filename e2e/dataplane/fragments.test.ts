import { afterAll, test as anyTest, beforeAll, expect } from 'vitest';
import { serviceFlags, tunnelDefaults } from '#lib/node/bpf/index.ts';
import { canRunPrograms } from './testing/can-run-programs.ts';
import { type FrontEnd, type NodePlane, nodePlane, podPort } from './testing/node-plane.ts';
import { datagramOf, framed } from './testing/packets.ts';
import { onesComplement, sumsAreRight } from './testing/sums.ts';
import { testRunner, verdicts } from './testing/test-run.ts';
import { type Topology, topology } from './testing/topology.ts';
import { withinNetwork } from './testing/within-network.ts';

/** Datagrams of IPv4 that come in parts. */

const test = anyTest.runIf(canRunPrograms);

const nodes = ['node1', 'node2'];
const pods = [
  { pod: 'a', node: 'node1' },
  { pod: 'b', node: 'node1' },
  { pod: 'c', node: 'node2' },
];
const service = { address: '10.96.0.10', port: 80 };
const nodePort = { address: '0.0.0.0', port: 30_080, flags: serviceFlags.nodePort };
const bytes = 6_001;

let net: Topology;
let planes: readonly NodePlane[];

beforeAll(async () => {
  if (!canRunPrograms) return;
  net = topology(nodes, pods);
  planes = nodes.map((node) => nodePlane(net, node, { nodes, pods }));
  for (const place of ['a', 'b', 'c', 'node1']) await net.at(place).ask({ do: 'serve', name: place, port: podPort });
});

afterAll(async () => {
  for (const plane of planes ?? []) plane.close();
  await net?.close();
});

function serve(frontEnd: FrontEnd) {
  for (const plane of planes) plane.serve(frontEnd);
}

test.each(['b', 'c'])('a pod reaches the backend %s and its answer', async (backend) => {
  serve({ ...service, backends: [backend] });
  const answer = await net.at('a').ask({ do: 'udp', to: service.address, port: 80, socket: 'unconnected', bytes });
  expect(answer).toMatchObject({ error: null, servers: [backend], peer: service.address });
});

test.each([
  ['a', 'of this node'],
  ['node1', "in the host's network"],
])('a client outside reaches the backend %s, %s, and its answer', async (backend) => {
  serve({ ...nodePort, backends: [backend] });
  const to = net.addresses('node1').v4;
  const answer = await net.at('client').ask({ do: 'udp', to, port: nodePort.port, socket: 'unconnected', bytes });
  expect(answer).toEqual({ error: null, servers: [backend], seen: net.addresses('client').v4, peer: to });
});

test('one of another node too, once both ends were told how large a part may be', async () => {
  serve({ ...nodePort, backends: ['c'] });
  const to = net.addresses('node1').v4;
  const ask = () => net.at('client').ask({ do: 'udp', to, port: nodePort.port, socket: 'unconnected', bytes });
  let answer = await ask();
  for (let more = 3; more > 0 && answer.error !== null; more--) answer = await ask();
  expect(answer).toEqual({ error: null, servers: ['c'], seen: net.addresses('client').v4, peer: to });
});

const partSize = 1_480;

/** The parts of a datagram as a sender makes them. */
function partsOf(packet: Buffer, id: number): Buffer[] {
  const payload = packet.subarray(20);
  return Array.from({ length: Math.ceil(payload.length / partSize) }, (_, at) => {
    const data = payload.subarray(at * partSize, (at + 1) * partSize);
    const more = (at + 1) * partSize < payload.length ? 0x2000 : 0;
    const header = Buffer.from(packet.subarray(0, 20));
    header.writeUInt16BE(20 + data.length, 2);
    header.writeUInt16BE(id, 4);
    header.writeUInt16BE((at * partSize) / 8 + more, 6);
    header.writeUInt16BE(0, 10);
    header.writeUInt16BE(onesComplement(header), 10);
    return Buffer.concat([header, data]);
  });
}

/** What a receiver makes of them. */
function together(parts: readonly Buffer[]): Buffer {
  const [first] = parts;
  if (first === undefined) throw new Error('no parts');
  const packet = Buffer.concat([first.subarray(0, 20), ...parts.map((part) => part.subarray(20))]);
  packet.writeUInt16BE(packet.length, 2);
  packet.writeUInt16BE(0, 6);
  packet.writeUInt16BE(0, 10);
  packet.writeUInt16BE(onesComplement(packet.subarray(0, 20)), 10);
  return packet;
}

test('parts go where the first one does, whole, and by the same way alone', () => {
  serve({ ...nodePort, backends: ['a'] });
  const { plane } = planes[0] ?? {};
  if (!plane) throw new Error('no plane');
  const [client, node1, a] = ['client', 'node1', 'a'].map((place) => net.addresses(place).v4) as [
    string,
    string,
    string,
  ];
  const asked = { source: client, destination: node1, sourcePort: 50_000, destinationPort: nodePort.port };
  // The last part has three bytes: less than a sum would lie in.
  const datagram = datagramOf(asked, 2 * partSize - 8 + 3);
  const links = new Map(['eth0', 'a', 'b'].map((link) => [link, net.ifindex('node1', link)]));
  const runner = testRunner(plane, 'incoming');
  withinNetwork(net.namespace('node1'), () => {
    const run = (packet: Buffer | undefined, link: string) =>
      runner.run(framed(packet ?? Buffer.alloc(0)), links.get(link) ?? 0);
    const [first, second, last] = partsOf(datagram, 7);
    expect([run(second, 'eth0').verdict, run(last, 'eth0').verdict], 'before the first').toEqual(
      Array(2).fill(verdicts.leave),
    );
    const ran = [first, second, last].map((part) => run(part, 'eth0'));
    expect(ran.map(({ verdict }) => verdict)).toEqual(Array(3).fill(verdicts.redirect));
    const parts = ran.map(({ frame }) => frame.subarray(14));
    for (const part of parts) {
      expect(onesComplement(part.subarray(0, 20))).toBe(0);
      expect([...part.subarray(12, 20)].join('.')).toBe(`${client}.${a}`);
    }
    expect(sumsAreRight(together(parts))).toBe(true);
    expect(run(last, 'b').verdict, 'by another interface').toBe(verdicts.leave);
    const [, , ofAnother] = partsOf(datagram, 8);
    expect(run(ofAnother, 'eth0').verdict, 'of another datagram').toBe(verdicts.leave);
    const old = Buffer.from(last ?? '');
    old.writeUInt8(1, 8);
    old.writeUInt16BE(0, 10);
    old.writeUInt16BE(onesComplement(old.subarray(0, 20)), 10);
    expect(run(old, 'eth0').verdict, 'too old').toBe(verdicts.drop);
  });
  runner.close();
});

test('no pod sends what may be of the tunnel in parts: the host would put it together, and send it on as its own', () => {
  serve({ ...nodePort, backends: ['a'] });
  const { plane } = planes[0] ?? {};
  if (!plane) throw new Error('no plane');
  const ends = { source: net.addresses('a').v4, destination: net.addresses('node2').v4, sourcePort: 50_000 };
  const runner = testRunner(plane, 'incoming');
  const first = (destinationPort: number) => partsOf(datagramOf({ ...ends, destinationPort }, 2 * partSize), 9)[0];
  withinNetwork(net.namespace('node1'), () => {
    const run = (port: number) => runner.run(framed(first(port) ?? Buffer.alloc(0)), net.ifindex('node1', 'a')).verdict;
    expect([run(tunnelDefaults.port), run(tunnelDefaults.port + 1)]).toEqual([verdicts.drop, verdicts.leave]);
  });
  runner.close();
});
