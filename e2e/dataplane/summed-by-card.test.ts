import { release } from 'node:os';
import { afterAll, test as anyTest, beforeAll, expect } from 'vitest';
import { canRunPrograms } from './testing/can-run-programs.ts';
import { clientPort, described, type PacketStage, packetStage, ports } from './testing/packet-stage.ts';
import { datagramOf, synPacket, tooBigPacket, withEthernetHeader } from './testing/packets.ts';
import { verdicts } from './testing/test-run.ts';
import { addressesIn } from './testing/topology.ts';
import { families } from './testing/two-nodes.ts';

/** Packets whose bytes the network card has summed: whoever receives one later compares that sum with what it finds. */

/** Since Linux 6.16 a test run can give such a sum, and a program can change addresses of IPv6 without making it wrong. */
const [major = 0, minor = 0] = release().split('.').map(Number);
const test = anyTest.runIf(canRunPrograms && (major > 6 || (major === 6 && minor >= 16)));

let net: PacketStage['net'];
let onNode1: PacketStage['onNode1'];
let close: PacketStage['close'] | undefined;

beforeAll(() => {
  if (canRunPrograms) ({ net, onNode1, close } = packetStage());
});
afterAll(() => close?.());

test.each(families)('the card’s sum stays right while a packet is translated for a pod (%s)', (family) => {
  const [client, node1, a] = addressesIn(net, family, 'client', 'node1', 'a');
  const to = { source: client, destination: node1, sourcePort: clientPort, destinationPort: ports.here };
  const seenByClient = synPacket({
    source: node1,
    destination: client,
    sourcePort: ports.here,
    destinationPort: clientPort,
  });
  onNode1((run) => {
    for (const packet of [
      synPacket(to),
      datagramOf(to, 30),
      tooBigPacket({ source: family === 'v4' ? '10.99.0.1' : 'fd99::1', destination: node1 }, seenByClient),
    ])
      expect(described(run(withEthernetHeader(packet), 'eth0', 'of the card'))).toMatchObject({
        verdict: verdicts.redirect,
        seen: { destination: a },
      });
  });
});
