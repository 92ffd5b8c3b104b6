import { afterAll, test as anyTest, beforeAll, expect } from 'vitest';
import { netlinkFlags, netlinkMessage, openNetlink } from '#lib/node/bpf/index.ts';
import { handToHost, type TranslatedConnection } from '#lib/node/index.ts';
import { canRunPrograms } from './testing/can-run-programs.ts';
import { addressesIn, type Topology, topology } from './testing/topology.ts';
import { families, nodes, pods } from './testing/two-nodes.ts';
import { withinNetwork } from './testing/within-network.ts';

const test = anyTest.runIf(canRunPrograms);

let net: Topology;
beforeAll(() => {
  if (canRunPrograms) net = topology(nodes, pods);
});
afterAll(() => net?.close());

test.each(families)(
  "the kernel's own tracking takes a translated connection (%s), whatever it knew of its ports",
  async (family) => {
    const [client, service, backend] = addressesIn(net, family, 'client', 'node1', 'a');
    const to = { service, servicePort: 80, backend, backendPort: 8080, isOpening: false };
    const one = { ...to, client, clientPort: 4001, seenPort: 4001 };
    const withAnotherPort = { ...one, clientPort: 4002, seenPort: 20_001 };
    const opening = { ...one, clientPort: 4003, seenPort: 4003, isOpening: true };
    const hand = (...all: readonly TranslatedConnection[]) =>
      withinNetwork(net.namespace('node1'), () => handToHost(all, new AbortController().signal));
    expect(await hand(one, withAnotherPort, opening)).toBe(3);
    // One that opens goes soon, and first where there is no room: a flood is made of such.
    const known = (port: number) =>
      knownToHost().filter((entry) => entry.port === port && entry.family === (family === 'v4' ? 2 : 10));
    expect(known(4001)).toEqual([expect.objectContaining({ isAssured: true, isLasting: true })]);
    expect(known(4003)).toEqual([expect.objectContaining({ isAssured: false, isLasting: false })]);
    // An earlier one of the client, and one whose answers would look the same.
    expect(await hand(one)).toBe(1);
    expect(await hand({ ...one, service: backend, servicePort: 81 })).toBe(1);
    expect(await hand({ ...one, service: backend, servicePort: one.backendPort })).toBe(1);
  },
);

/** What the kernel of node1 tracks, by the client's port. */
function knownToHost() {
  const [getConnections, afterHeader] = [0x101, 4];
  const netlink = withinNetwork(net.namespace('node1'), () => openNetlink(12));
  const asked = netlinkMessage(getConnections, netlinkFlags.dump, Buffer.from([0, 0, 0, 0]));
  const { answers } = netlink?.all(asked) ?? { answers: [] };
  netlink?.close();
  return answers.map(({ payload }) => {
    const all = attributesOf(payload.subarray(afterHeader));
    const [, , ofPorts] = [0, 1, 2].map((type) => attributesOf(all.get(1)).get(type));
    return {
      family: payload[0],
      port: attributesOf(ofPorts).get(2)?.readUInt16BE(0),
      isAssured: ((all.get(3)?.readUInt32BE(0) ?? 0) & 4) !== 0,
      isLasting: (all.get(7)?.readUInt32BE(0) ?? 0) > 60,
    };
  });
}

/** By their number, as netlink lays them out. */
function attributesOf(bytes: Buffer = Buffer.alloc(0)): Map<number, Buffer> {
  const found = new Map<number, Buffer>();
  for (let at = 0; at + 4 <= bytes.length; ) {
    const length = Math.max(4, bytes.readUInt16LE(at));
    found.set(bytes.readUInt16LE(at + 2) & 0x3fff, bytes.subarray(at + 4, at + length));
    at += (length + 3) & ~3;
  }
  return found;
}
