import { afterAll, test as anyTest, beforeAll, expect } from 'vitest';
import { canRunPrograms } from './testing/can-run-programs.ts';
import { framesOf } from './testing/frames.ts';
import { clientPort, described, ends, type PacketStage, packetStage, ports } from './testing/packet-stage.ts';
import { datagramOf, synPacket, withEthernetHeader } from './testing/packets.ts';
import { verdicts } from './testing/test-run.ts';
import { addressesIn } from './testing/topology.ts';
import { families } from './testing/two-nodes.ts';

/** What the programs answer in place of a destination that does not, and how much of it. */

const test = anyTest.runIf(canRunPrograms);

let net: PacketStage['net'];
let planes: PacketStage['planes'];
let onNode1: PacketStage['onNode1'];
let close: PacketStage['close'] | undefined;

beforeAll(() => {
  if (canRunPrograms) ({ net, planes, onNode1, close } = packetStage());
});
afterAll(() => close?.());

test.each(families)('whom nobody serves is told at once (%s)', (family) => {
  const [client, node1] = addressesIn(net, family, 'client', 'node1');
  const to = { source: client, destination: node1, sourcePort: clientPort };
  onNode1((run) => {
    const reset = described(run(withEthernetHeader(synPacket({ ...to, destinationPort: ports.nowhere })), 'eth0'));
    expect(reset).toMatchObject({
      verdict: verdicts.redirect,
      to: `${node1}:${ports.nowhere} > ${client}:${clientPort}`,
    });
    expect(reset.seen.transport.readUInt16BE(12) & 0x3f).toBe(0x14);
    // One beyond what was sent, over the end of the number's range.
    expect(reset.seen.transport.readUInt32BE(8)).toBe(0xffff_ffff);
    const message = (frame: Buffer) => {
      const { verdict, seen } = described(run(frame, 'eth0'));
      const [quoted] = framesOf([withEthernetHeader(seen.transport.subarray(8))]);
      return [
        verdict,
        seen.destination,
        ...seen.transport.subarray(0, 2),
        seen.transport.readUInt16BE(6),
        quoted && ends(quoted),
      ];
    };
    const about = (port: number) => `${client}:${clientPort} > ${node1}:${port}`;
    const isV4 = family === 'v4';
    expect(message(withEthernetHeader(datagramOf({ ...to, destinationPort: ports.nowhere }, 5)))).toEqual([
      ...[verdicts.redirect, client, ...(isV4 ? [3, 3] : [1, 4]), 0, about(ports.nowhere)],
    ]);
    expect(message(withEthernetHeader(datagramOf({ ...to, destinationPort: ports.elsewhere }, 1440)))).toEqual([
      ...[verdicts.redirect, client, ...(isV4 ? [3, 4] : [2, 0]), isV4 ? 1450 : 1430, about(ports.elsewhere)],
    ]);
    for (const port of [ports.here, ports.elsewhere])
      expect(message(withEthernetHeader(datagramOf({ ...to, destinationPort: port, ttl: 1 }, 5)))).toEqual([
        ...[verdicts.redirect, client, ...(isV4 ? [11, 0] : [3, 0]), 0, about(port)],
      ]);
  });
});

test('who sends more to nobody than may be answered is left without an answer, until the next tenth of a second', () => {
  const [client, node1] = ['client', 'node1'].map((place) => net.addresses(place).v4) as [string, string];
  const frame = withEthernetHeader(
    datagramOf({ source: client, destination: node1, sourcePort: clientPort, destinationPort: ports.nowhere }, 5),
  );
  onNode1((run) => {
    const until = (verdict: number) => {
      for (let sent = 1; sent < 1_000_000; sent++) if (run(frame, 'eth0').verdict === verdict) return sent;
      return null;
    };
    expect(until(verdicts.drop)).toEqual(expect.any(Number));
    expect(planes[0]?.plane.counts([1]).get(1)?.answerLimit).toBeGreaterThan(0);
    expect(until(verdicts.redirect)).toEqual(expect.any(Number));
  });
});
