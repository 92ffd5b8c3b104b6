import { afterAll, test as anyTest, beforeAll, expect } from 'vitest';
import { canRunPrograms } from './testing/can-run-programs.ts';
import { damage, randomNumbers, readsAsSound } from './testing/damage.ts';
import { framesOf } from './testing/frames.ts';
import { clientPort, layers, type PacketStage, packetStage, ports } from './testing/packet-stage.ts';
import { datagramOf, synPacket, tooBigPacket, withEthernetHeader } from './testing/packets.ts';
import { sumsAreRight } from './testing/sums.ts';
import { verdicts } from './testing/test-run.ts';
import { addressesIn } from './testing/topology.ts';
import { families } from './testing/two-nodes.ts';

const test = anyTest.runIf(canRunPrograms);

let net: PacketStage['net'];
let onNode1: PacketStage['onNode1'];
let close: PacketStage['close'] | undefined;

beforeAll(() => {
  if (canRunPrograms) ({ net, onNode1, close } = packetStage());
});
afterAll(() => close?.());

test('two thousand packets that were damaged go nowhere that they may not, and their sums no worse', () => {
  const numbers = randomNumbers(0x5eed);
  const started = families.flatMap((family) => {
    const [client, node1, a] = addressesIn(net, family, 'client', 'node1', 'a');
    const to = { source: client, destination: node1, sourcePort: clientPort };
    const back = { source: a, destination: client, sourcePort: 8080, destinationPort: clientPort };
    const seenByClient = synPacket({
      source: node1,
      destination: client,
      sourcePort: ports.here,
      destinationPort: clientPort,
    });
    return [
      ...Object.values(ports).flatMap((port) => [
        ['eth0', synPacket({ ...to, destinationPort: port })] as const,
        ['eth0', datagramOf({ ...to, destinationPort: port }, 30)] as const,
      ]),
      ['a', synPacket(back, { isAnswer: true })] as const,
      ['a', datagramOf(back, 30)] as const,
      ['eth0', tooBigPacket({ source: client, destination: node1 }, seenByClient)] as const,
    ];
  });
  const mayGoTo = new Set(['a', 'client', 'node2'].flatMap((place) => Object.values(net.addresses(place))));
  const outcomes = new Map<number, number>();
  onNode1((run) => {
    for (let count = 0; count < 2000; count++) {
      const [link, whole] = started[numbers() % started.length] ?? ['eth0', Buffer.alloc(40)];
      const damaged = damage(whole, numbers);
      const isSound = readsAsSound(damaged);
      const given = withEthernetHeader(damaged);
      const { verdict, frame } = run(given, link);
      outcomes.set(verdict, (outcomes.get(verdict) ?? 0) + 1);
      const about = `packet ${count} ${given.toString('hex')}`;
      expect(Object.values(verdicts), about).toContain(verdict);
      // The stack gets what came, and nothing that was half changed.
      if (verdict === verdicts.leave) expect(frame.equals(given), about).toBe(true);
      if (verdict !== verdicts.redirect) continue;
      const [seen] = framesOf([frame]);
      const [was] = framesOf([given]);
      expect(seen && (mayGoTo.has(seen.destination) || seen.destination === was?.source), about).toBe(true);
      if (isSound && seen)
        expect(
          layers(seen).every(({ packet }) => sumsAreRight(packet)),
          about,
        ).toBe(true);
    }
  });
  // It is no test of packets that were all thrown away.
  for (const verdict of Object.values(verdicts)) expect(outcomes.get(verdict) ?? 0).toBeGreaterThan(20);
});
