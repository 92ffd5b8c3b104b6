import { afterAll, test as anyTest, beforeAll, expect } from 'vitest';
import { serviceFlags, tunnelDefaults } from '#lib/node/bpf/index.ts';
import { canRunPrograms } from './testing/can-run-programs.ts';
import { tunnelPacket } from './testing/frames.ts';
import { type FrontEnd, type NodePlane, nodePlane, podPort } from './testing/node-plane.ts';
import { datagramOf, withEthernetHeader } from './testing/packets.ts';
import { onesComplement, sumsAreRight } from './testing/sums.ts';
import { testRunner, verdicts } from './testing/test-run.ts';
import { addressesIn, type Topology, topology } from './testing/topology.ts';
import { everyNode, families, nodes, pods, serviceAddress as service } from './testing/two-nodes.ts';
import { withinNetwork } from './testing/within-network.ts';

/** Datagrams that come in parts. */

const test = anyTest.runIf(canRunPrograms);

const servicePort = 80;
const nodePort = { port: 30_080, flags: serviceFlags.nodePort };
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

/** Matches the address `to` in upper and lower case. */
const sameAddress = (to: string) => expect.stringMatching(new RegExp(`^${to}$`, 'i'));

test.each(families.flatMap((family) => ['b', 'c'].map((backend) => [backend, family] as const)))(
  'a pod reaches the backend %s and its answer by %s',
  async (backend, family) => {
    const to = service[family];
    serve({ address: to, port: servicePort, family, backends: [backend] });
    const answer = await net.at('a').ask({ do: 'udp', to, port: servicePort, socket: 'unconnected', bytes });
    expect(answer).toMatchObject({ error: null, servers: [backend], peer: to });
  },
);

test.each(
  families.flatMap((family) => [
    ['a', 'of this node', family] as const,
    ['node1', "in the host's network", family] as const,
  ]),
)('a client outside reaches the backend %s, %s, and its answer by %s', async (backend, _, family) => {
  serve({ ...nodePort, address: everyNode[family], family, backends: [backend] });
  const to = net.addresses('node1')[family];
  const answer = await net.at('client').ask({ do: 'udp', to, port: nodePort.port, socket: 'unconnected', bytes });
  expect(answer).toEqual({
    error: null,
    servers: [backend],
    seen: sameAddress(net.addresses('client')[family]),
    peer: sameAddress(to),
  });
});

test.each(families)(
  'one of another node too by %s, once both ends were told how large a part may be',
  async (family) => {
    serve({ ...nodePort, address: everyNode[family], family, backends: ['c'] });
    const to = net.addresses('node1')[family];
    const ask = () => net.at('client').ask({ do: 'udp', to, port: nodePort.port, socket: 'unconnected', bytes });
    let answer = await ask();
    for (let more = 3; more > 0 && answer.error !== null; more--) answer = await ask();
    expect(answer).toEqual({
      error: null,
      servers: ['c'],
      seen: sameAddress(net.addresses('client')[family]),
      peer: sameAddress(to),
    });
  },
);

const partSize = 1_480;

const isV4 = (packet: Buffer) => (packet[0] ?? 0) >> 4 === 4;
/** Of the header of IP, that of a part in IPv6 included, and before it. */
const headerSizes = (packet: Buffer) => (isV4(packet) ? { whole: 20, part: 20 } : { whole: 40, part: 48 });

/** The parts of a datagram as a sender makes them. */
function partsOf(packet: Buffer, id: number): Buffer[] {
  const payload = packet.subarray(headerSizes(packet).whole);
  return Array.from({ length: Math.ceil(payload.length / partSize) }, (_, at) => {
    const data = payload.subarray(at * partSize, (at + 1) * partSize);
    const isLast = (at + 1) * partSize >= payload.length;
    const header = isV4(packet) ? partOfV4(packet, id, at, isLast) : partOfV6(packet, id, at, isLast);
    return withLength(Buffer.concat([header, data]));
  });
}

function partOfV4(packet: Buffer, id: number, at: number, isLast: boolean): Buffer {
  const header = Buffer.from(packet.subarray(0, 20));
  header.writeUInt16BE(id, 4);
  header.writeUInt16BE((at * partSize) / 8 + (isLast ? 0 : 0x2000), 6);
  return header;
}

/** RFC 8200 §4.5. */
function partOfV6(packet: Buffer, id: number, at: number, isLast: boolean): Buffer {
  const header = Buffer.alloc(48);
  packet.copy(header, 0, 0, 40);
  header.writeUInt8(header.readUInt8(6), 40);
  header.writeUInt8(44, 6);
  header.writeUInt16BE(at * partSize + (isLast ? 0 : 1), 42);
  header.writeUInt32BE(id, 44);
  return header;
}

/** With its own length, and the sum of a header of IPv4, in place of what stands there. */
function withLength(packet: Buffer): Buffer {
  if (isV4(packet)) {
    packet.writeUInt16BE(packet.length, 2);
    packet.writeUInt16BE(0, 10);
    packet.writeUInt16BE(onesComplement(packet.subarray(0, 20)), 10);
  } else packet.writeUInt16BE(packet.length - 40, 4);
  return packet;
}

/** The packet that a receiver assembles from these fragments. */
function together(parts: readonly Buffer[]): Buffer {
  const [first] = parts;
  if (first === undefined) throw new Error('no parts');
  const sizes = headerSizes(first);
  const packet = Buffer.concat([first.subarray(0, sizes.whole), ...parts.map((part) => part.subarray(sizes.part))]);
  if (isV4(packet)) packet.writeUInt16BE(0, 6);
  else packet.writeUInt8(first.readUInt8(40), 6);
  return withLength(packet);
}

/** As they stand in a packet. */
function endsOf(packet: Buffer): string {
  const [at, size] = isV4(packet) ? [12, 4] : [8, 16];
  return packet.subarray(at, at + 2 * size).toString('hex');
}

/** One hop left. */
function grownOld(packet: Buffer): Buffer {
  const old = Buffer.from(packet);
  old.writeUInt8(1, isV4(old) ? 8 : 7);
  return withLength(old);
}

const endsBetween = (source: string, destination: string) =>
  endsOf(datagramOf({ source, destination, sourcePort: 1, destinationPort: 1 }, 1));

test.each(families)('parts of %s go where the first one does, whole, and by the same way alone', (family) => {
  serve({ ...nodePort, address: everyNode[family], family, backends: ['a'] });
  const { plane } = planes[0] ?? {};
  if (!plane) throw new Error('no plane');
  const [client, node1, a] = addressesIn(net, family, 'client', 'node1', 'a');
  const request = { source: client, destination: node1, sourcePort: 50_000, destinationPort: nodePort.port };
  // The last part has three bytes: less than a sum would lie in.
  const datagram = datagramOf(request, 2 * partSize - 8 + 3);
  const links = new Map(['eth0', 'a', 'b'].map((link) => [link, net.ifindex('node1', link)]));
  const runner = testRunner(plane, 'incoming');
  withinNetwork(net.namespace('node1'), () => {
    const run = (packet: Buffer | undefined, link: string) =>
      runner.run(withEthernetHeader(packet ?? Buffer.alloc(0)), links.get(link) ?? 0);
    const [first, second, last] = partsOf(datagram, 7);
    expect([run(second, 'eth0').verdict, run(last, 'eth0').verdict], 'before the first').toEqual(
      Array(2).fill(verdicts.leave),
    );
    const ran = [first, second, last].map((part) => run(part, 'eth0'));
    expect(ran.map(({ verdict }) => verdict)).toEqual(Array(3).fill(verdicts.redirect));
    const parts = ran.map(({ frame }) => frame.subarray(14));
    for (const part of parts) {
      if (family === 'v4') expect(onesComplement(part.subarray(0, 20))).toBe(0);
      expect(endsOf(part)).toBe(endsBetween(client, a));
    }
    expect(sumsAreRight(together(parts))).toBe(true);
    expect(run(last, 'b').verdict, 'by another interface').toBe(verdicts.leave);
    const [, , ofAnother] = partsOf(datagram, 8);
    expect(run(ofAnother, 'eth0').verdict, 'of another datagram').toBe(verdicts.leave);
    expect(run(grownOld(last ?? datagram), 'eth0').verdict, 'too old').toBe(
      family === 'v4' ? verdicts.drop : verdicts.redirect,
    );
  });
  runner.close();
});

test.each(families)(
  'no pod sends by %s what may be of the tunnel in parts: the host would put it together, and send it on as its own',
  (family) => {
    serve({ ...nodePort, address: everyNode[family], family, backends: ['a'] });
    const { plane } = planes[0] ?? {};
    if (!plane) throw new Error('no plane');
    const ends = {
      source: net.addresses('a')[family],
      destination: net.addresses('node2')[family],
      sourcePort: 50_000,
    };
    const runner = testRunner(plane, 'incoming');
    const first = (destinationPort: number) => partsOf(datagramOf({ ...ends, destinationPort }, 2 * partSize), 9)[0];
    withinNetwork(net.namespace('node1'), () => {
      const run = (port: number) =>
        runner.run(withEthernetHeader(first(port) ?? Buffer.alloc(0)), net.ifindex('node1', 'a')).verdict;
      expect([run(tunnelDefaults.port), run(tunnelDefaults.port + 1)]).toEqual([verdicts.drop, verdicts.leave]);
    });
    runner.close();
  },
);

test('a later part of IPv6 that is too big for the tunnel is told of, as RFC 4443 has it, and one of IPv4 is not', () => {
  const { plane } = planes[0] ?? {};
  if (!plane) throw new Error('no plane');
  const runner = testRunner(plane, 'incoming');
  for (const family of families) {
    serve({ ...nodePort, address: everyNode[family], family, backends: ['c'] });
    const [source, destination] = addressesIn(net, family, 'client', 'node1');
    const request = { source, destination, sourcePort: 50_000, destinationPort: nodePort.port };
    const parts = partsOf(datagramOf(request, 2 * partSize), 11);
    withinNetwork(net.namespace('node1'), () => {
      const run = (at: number) =>
        runner.run(withEthernetHeader(parts[at] ?? Buffer.alloc(0)), net.ifindex('node1', 'eth0'));
      expect(run(0).verdict, family).toBe(verdicts.redirect);
      const later = run(1);
      if (family === 'v4') expect(later.verdict).toBe(verdicts.drop);
      else {
        const message = later.frame.subarray(14);
        expect(later.verdict).toBe(verdicts.redirect);
        expect(endsOf(message)).toBe(endsBetween(destination, source));
        // Next header 58, type 2, code 0, and the MTU within the tunnel.
        expect([message[6], message[40], message[41], message.readUInt32BE(44)]).toEqual([58, 2, 0, 1430]);
        expect(sumsAreRight(message)).toBe(true);
      }
    });
  }
  runner.close();
});

test('a later part out of the tunnel whose first nobody saw is no malformed one', () => {
  const { plane } = planes[0] ?? {};
  if (!plane) throw new Error('no plane');
  const [client, node1, node2] = ['client', 'node1', 'node2'].map((place) => net.addresses(place).v4) as [
    string,
    string,
    string,
  ];
  const request = { source: client, destination: node2, sourcePort: 50_000, destinationPort: nodePort.port };
  const [, later] = partsOf(datagramOf(request, 2 * partSize - 200), 12);
  const runner = testRunner(plane, 'incoming');
  const counted = () => plane.counts([1]).get(1) ?? {};
  const before = counted();
  withinNetwork(net.namespace('node1'), () => {
    const frame = withEthernetHeader(tunnelPacket(node2, node1, later ?? Buffer.alloc(0)));
    expect(runner.run(frame, net.ifindex('node1', 'eth0')).verdict).toBe(verdicts.drop);
  });
  runner.close();
  const { malformed = 0, leftToStack = 0 } = before;
  expect(counted()).toMatchObject({ leftToStack: leftToStack + 1 });
  expect(counted().malformed ?? 0).toBe(malformed);
});
