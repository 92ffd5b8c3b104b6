import { afterAll, test as anyTest, beforeAll, expect } from 'vitest';
import { configFlags, type Flow, flowTypes, protocols, serviceFlags, tcpSeen } from '#lib/node/bpf/index.ts';
import { canRunPrograms } from './testing/can-run-programs.ts';
import { framesOf, type ParsedFrame } from './testing/frames.ts';
import { clientPort, described, ends, type PacketStage, packetStage, ports } from './testing/packet-stage.ts';
import { datagramOf, synPacket, tooBigPacket, withEthernetHeader } from './testing/packets.ts';
import { withSums } from './testing/sums.ts';
import { testRunner, verdicts } from './testing/test-run.ts';
import { addressesIn } from './testing/topology.ts';
import { everyNode, families, serviceAddress } from './testing/two-nodes.ts';
import { withinNetwork } from './testing/within-network.ts';

/** What becomes of flows and connections over time, packet by packet. */

const test = anyTest.runIf(canRunPrograms);

let net: PacketStage['net'];
let planes: PacketStage['planes'];
let serve: PacketStage['serve'];
let onNode1: PacketStage['onNode1'];
let close: PacketStage['close'] | undefined;

beforeAll(() => {
  if (canRunPrograms) ({ net, planes, serve, onNode1, close } = packetStage());
});
afterAll(() => close?.());

test.each(families)('a connection from outside to a pod here, and back (%s)', (family) => {
  const [client, node1, a] = addressesIn(net, family, 'client', 'node1', 'a');
  onNode1((run) => {
    const there = described(
      run(
        withEthernetHeader(
          synPacket({ source: client, destination: node1, sourcePort: clientPort, destinationPort: ports.here }),
        ),
        'eth0',
      ),
    );
    expect(there).toMatchObject({ verdict: verdicts.redirect, to: `${client}:${clientPort} > ${a}:8080` });
    const answer = synPacket(
      { source: a, destination: client, sourcePort: 8080, destinationPort: clientPort },
      { isAnswer: true },
    );
    expect(described(run(withEthernetHeader(answer), 'a'))).toMatchObject({
      verdict: verdicts.redirect,
      to: `${node1}:${ports.here} > ${client}:${clientPort}`,
    });
    // A router's ICMP error about the answer reaches the pod, translated to the pod's own addresses.
    const seenByClient = synPacket({
      source: node1,
      destination: client,
      sourcePort: ports.here,
      destinationPort: clientPort,
    });
    const error = described(
      run(
        withEthernetHeader(
          tooBigPacket({ source: family === 'v4' ? '10.99.0.1' : 'fd99::1', destination: node1 }, seenByClient),
        ),
        'eth0',
      ),
    );
    expect(error).toMatchObject({ verdict: verdicts.redirect, seen: { destination: a } });
    const [quoted] = framesOf([withEthernetHeader(error.seen.transport.subarray(8))]);
    expect(quoted && ends(quoted)).toBe(`${a}:8080 > ${client}:${clientPort}`);
  });
});

test.each(families)(
  'a connection for another node goes there in the tunnel, with a size of segments that fits (%s)',
  (family) => {
    const [client, node1, node2] = addressesIn(net, family, 'client', 'node1', 'node2');
    onNode1((run) => {
      const { verdict, seen, to } = described(
        run(
          withEthernetHeader(
            synPacket({ source: client, destination: node1, sourcePort: clientPort, destinationPort: ports.elsewhere }),
          ),
          'eth0',
        ),
      );
      expect([verdict, to.replace(/:\d+ > /, ' > ')]).toEqual([
        verdicts.redirect,
        `${node1} > ${node2} (${client}:${clientPort} > ${node1}:${ports.elsewhere})`,
      ]);
      expect(seen.inside?.segmentSize).toBe(family === 'v4' ? 1410 : 1370);
    });
  },
);

test.each(families)('a node that no way leads to any more gets nothing, and it is counted (%s)', (family) => {
  const [client, node1, node2] = addressesIn(net, family, 'client', 'node1', 'node2');
  const asked = { source: client, destination: node1, sourcePort: clientPort, destinationPort: ports.elsewhere };
  const [ip, unreachable] = [
    ['ip', family === 'v4' ? '-4' : '-6'],
    ['unreachable', node2],
  ];
  const noRoute = () => planes[0]?.plane.counts([1]).get(1)?.noRoute ?? 0;
  const before = noRoute();
  onNode1((run) => {
    const verdict = () => run(withEthernetHeader(synPacket(asked)), 'eth0').verdict;
    const verdictsOf = [verdict(), verdict()];
    net.on('node1', ...ip, 'route', 'add', ...unreachable);
    try {
      verdictsOf.push(verdict());
    } finally {
      net.on('node1', ...ip, 'route', 'del', ...unreachable);
    }
    verdictsOf.push(verdict());
    const { redirect, drop } = verdicts;
    expect(verdictsOf).toEqual([redirect, redirect, drop, redirect]);
  });
  expect(noRoute()).toBe(before + 1);
});

test.each(families)(
  'a connection between two pods here goes past the stack, and nothing else between them (%s)',
  (family) => {
    const [client, a, b, c] = addressesIn(net, family, 'client', 'a', 'b', 'c');
    const there = { source: a, destination: b, sourcePort: clientPort, destinationPort: 9000 };
    const back = { source: b, destination: a, sourcePort: 9000, destinationPort: clientPort };
    const answer = withEthernetHeader(synPacket(back, { isAnswer: true }));
    onNode1((run) => {
      const left: readonly (readonly [string, Buffer])[] = [
        ['b', answer],
        ['a', withEthernetHeader(datagramOf(there, 5))],
        ['a', withEthernetHeader(synPacket({ ...there, ttl: 1 }))],
        ['a', withEthernetHeader(synPacket({ ...there, source: c }))],
        ['a', withEthernetHeader(synPacket({ ...there, destination: c }))],
        ['b', withEthernetHeader(synPacket(there))],
        ['eth0', withEthernetHeader(synPacket({ ...there, source: client }))],
      ];
      const verdictsOfLeft = () => left.map(([link, frame]) => run(frame, link).verdict);
      expect(verdictsOfLeft()).toEqual(left.map(() => verdicts.leave));
      const asked = run(withEthernetHeader(synPacket(there)), 'a');
      expect(described(asked)).toMatchObject({
        verdict: verdicts.redirect,
        to: ends({ ...there, inside: null } as ParsedFrame),
      });
      const macs = (frame: Buffer) => frame.subarray(0, 12).toString('hex');
      const mac = (place: string, link: string) => net.mac(place, link).replaceAll(':', '');
      expect(macs(asked.frame)).toBe(mac('b', 'eth0') + mac('node1', 'b'));
      const answered = run(answer, 'b');
      expect(described(answered)).toMatchObject({
        verdict: verdicts.redirect,
        to: ends({ ...back, inside: null } as ParsedFrame),
      });
      expect(macs(answered.frame)).toBe(mac('a', 'eth0') + mac('node1', 'a'));
      // Nobody else may put a segment into it.
      expect(run(answer, 'a').verdict).toBe(verdicts.leave);
      expect(run(answer, 'eth0').verdict).toBe(verdicts.leave);
      const reset = flagged(synPacket(back, { isAnswer: true }), 0x14);
      expect(described(run(withEthernetHeader(reset), 'b')).verdict).toBe(verdicts.redirect);
      expect(run(answer, 'b').verdict).toBe(verdicts.leave);
    });
  },
);

type Step = readonly [from: 'a' | 'b', flags: number, seq?: number, ack?: number];
const [syn, fin, ack] = [0x02, 0x01, 0x10];
/** From where a counts, and from where b does: over the end of the numbers. */
const [ofA, ofB] = [0xffff_fff0, 0x1000];
const opened: readonly Step[] = [
  ['a', syn, ofA],
  ['b', syn | ack, ofB, ofA + 1],
  ['a', ack, ofA + 1, ofB + 1],
];
const closed: readonly Step[] = [
  ['a', fin | ack, ofA + 1, ofB + 1],
  ['b', ack, ofB + 1, ofA + 2],
  ['b', fin | ack, ofB + 1, ofA + 2],
];

test.each(
  families.flatMap((family) =>
    (
      [
        ['as is usual', closed, ['a', ack, ofA + 2, ofB + 2], true],
        ['by both, and an earlier segment is acknowledged late', closed, ['a', ack, ofA + 2, ofB + 1], false],
        ['by both, and the first to close says so once more', closed, ['a', fin | ack, ofA + 1, ofB + 1], false],
        ['by both, and the second one says so once more', closed, ['b', fin | ack, ofB + 1, ofA + 2], false],
        ['by both, and the other one has something to acknowledge', closed, ['b', ack, ofB + 2, ofA + 2], false],
        ['by one, and the other one goes on', closed.slice(0, 2), ['b', ack, ofB + 1, ofA + 2], false],
        [
          'by both at once: who acknowledged the one FIN may have to be told of the other',
          [...closed.slice(0, 1), ['b', fin | ack, ofB + 1, ofA + 1]],
          ['a', ack, ofA + 2, ofB + 2],
          false,
        ],
        ['by a reset', [], ['b', 0x14, ofB + 1, ofA + 1], true],
      ] satisfies [string, readonly Step[], Step, boolean][] as [string, readonly Step[], Step, boolean][]
    ).map((way) => [family, ...way] as const),
  ),
)(
  'the last word of a connection between pods takes its entry away (%s): closed %s',
  (family, _, steps, last, isOver) => {
    const [a, b] = addressesIn(net, family, 'a', 'b');
    const ends = {
      a: { source: a, destination: b, sourcePort: clientPort, destinationPort: 9001 },
      b: { source: b, destination: a, sourcePort: 9001, destinationPort: clientPort },
    };
    onNode1((run) => {
      const verdictOf = ([from, flags, seq = 0, acknowledges = 0]: Step) => {
        const ran = run(withEthernetHeader(flagged(synPacket(ends[from]), flags, { seq, ack: acknowledges })), from);
        if (ran.verdict === verdicts.redirect) expect(lifeOf(ran.frame), 'a hop older').toBe(63);
        return described(ran).verdict;
      };
      const all = [...opened, ...steps, last].map(verdictOf);
      expect(all).toEqual(all.map(() => verdicts.redirect));
      const more = [...closed].reverse().map(verdictOf);
      expect(more).toEqual(more.map(() => (isOver ? verdicts.leave : verdicts.redirect)));
    });
  },
);

/** TTL or hop limit. */
function lifeOf(frame: Buffer): number {
  return frame.readUInt8(frame.readUInt16BE(12) === 0x0800 ? 22 : 21);
}

test.each(families)('a port that had a connection between pods may have one to a service next (%s)', (family) => {
  const [node1, a, b] = addressesIn(net, family, 'node1', 'a', 'b');
  const direct = { source: b, destination: a, sourcePort: clientPort, destinationPort: 8080 };
  const back = { source: a, destination: b, sourcePort: 8080, destinationPort: clientPort };
  const service = { ...direct, destination: node1, destinationPort: ports.here };
  onNode1((run) => {
    const answeredBy = (asked: typeof direct) => {
      expect(run(withEthernetHeader(synPacket(asked)), 'b').verdict).toBe(verdicts.redirect);
      return described(run(withEthernetHeader(synPacket(back, { isAnswer: true })), 'a')).to;
    };
    expect(answeredBy(direct)).toBe(`${a}:8080 > ${b}:${clientPort}`);
    expect(answeredBy(service)).toBe(`${node1}:${ports.here} > ${b}:${clientPort}`);
  });
});

/** The segment with these flags of TCP in place of its own, and with these numbers, which wrap. */
function flagged(packet: Buffer, flags: number, numbers?: { readonly seq: number; readonly ack: number }): Buffer {
  const at = (packet[0] ?? 0) >> 4 === 4 ? 20 : 40;
  packet[at + 13] = flags;
  if (numbers) packet.writeUInt32BE(numbers.seq % 2 ** 32, at + 4);
  if (numbers) packet.writeUInt32BE(numbers.ack % 2 ** 32, at + 8);
  return withSums(packet);
}

test.each(families)(
  'a port that had a connection to a service may have one to its backend itself next (%s)',
  (family) => {
    const [client, node1, a] = addressesIn(net, family, 'client', 'node1', 'a');
    const service = { source: client, destination: node1, sourcePort: clientPort, destinationPort: ports.here };
    const direct = { ...service, destination: a, destinationPort: 8080 };
    const back = { source: a, destination: client, sourcePort: 8080, destinationPort: clientPort };
    onNode1((run) => {
      run(withEthernetHeader(synPacket(service)), 'eth0');
      expect(run(withEthernetHeader(flagged(synPacket(service), 0x04)), 'eth0').verdict).toBe(verdicts.redirect);
      expect(run(withEthernetHeader(synPacket(direct)), 'eth0').verdict).toBe(verdicts.leave);
      expect(run(withEthernetHeader(synPacket(back, { isAnswer: true })), 'a').verdict).toBe(verdicts.leave);
    });
  },
);

test.each(families)('a client whose answers go another way may begin anew once it has closed (%s)', (family) => {
  const [client, node1, a] = addressesIn(net, family, 'client', 'node1', 'a');
  const ask = { source: client, destination: node1, sourcePort: clientPort, destinationPort: ports.elsewhere };
  onNode1((run) => {
    for (const flags of [0x02, 0x10, 0x11]) run(withEthernetHeader(flagged(synPacket(ask), flags)), 'eth0');
    const { services } = planes[0]?.plane.maps ?? {};
    const frontEnd = (port: number) => ({ address: everyNode[family], port, protocol: protocols.TCP });
    const here = services?.get(frontEnd(ports.here));
    if (here) services?.set(frontEnd(ports.elsewhere), here);
    expect(described(run(withEthernetHeader(synPacket(ask)), 'eth0')).to).toBe(`${client}:${clientPort} > ${a}:8080`);
  });
});

/** Makes what stands in node1's table other, where `which` says so. */
function change(which: (flow: Flow) => boolean, to: Partial<Flow>): void {
  const { flows } = planes[0]?.plane.maps ?? {};
  for (const [key, flow] of flows?.entries() ?? []) if (which(flow)) flows?.set(key, { ...flow, ...to });
}

const flowsOfNode1 = () => Array.from(planes[0]?.plane.maps.flows.entries() ?? [], ([, flow]) => flow);
const secondsAgo = (seconds: number) => ({ lastNs: process.hrtime.bigint() - BigInt(seconds) * 1_000_000_000n });

test.each(families)("a pod says of no other's connection that it is over (%s)", (family) => {
  const [client, node1] = addressesIn(net, family, 'client', 'node1');
  const ask = { source: client, destination: node1, sourcePort: clientPort, destinationPort: ports.elsewhere };
  onNode1((run) => {
    for (const flags of [0x02, 0x10, 0x11]) run(withEthernetHeader(flagged(synPacket(ask), flags)), 'eth0');
    const before = flowsOfNode1();
    expect(before).toMatchObject([{ type: flowTypes.handedOn }]);
    expect(run(withEthernetHeader(synPacket(ask)), 'a').verdict).toBe(verdicts.drop);
    expect(flowsOfNode1()).toEqual(before);
  });
});

test.each(families)('no pod sends in the place of somebody elsewhere who has an end of a flow (%s)', (family) => {
  const [client, node1, a, c] = addressesIn(net, family, 'client', 'node1', 'a', 'c');
  const ofPod = { source: a, destination: node1, sourcePort: clientPort, destinationPort: ports.elsewhere };
  const ofClient = { ...ofPod, source: client, destinationPort: ports.here };
  const back = { source: c, destination: a, sourcePort: 8080, destinationPort: clientPort };
  onNode1((run) => {
    expect(run(withEthernetHeader(synPacket(ofPod)), 'a').verdict).toBe(verdicts.redirect);
    expect(run(withEthernetHeader(synPacket(ofClient)), 'eth0').verdict).toBe(verdicts.redirect);
    const answer = withEthernetHeader(synPacket(back, { isAnswer: true }));
    const more = withEthernetHeader(flagged(synPacket(ofClient), 0x10));
    const { routes } = planes[0]?.plane.maps ?? {};
    const ofC = routes?.get({ prefix: 128, address: c });
    const sent = () => ['a', 'b'].flatMap((link) => [answer, more].map((frame) => run(frame, link)));
    // Somebody outside may be behind a pod: what that sends is changed for nobody.
    const expected = [answer, more, answer, more].map((frame) =>
      frame === more ? { verdict: verdicts.leave, frame } : { verdict: verdicts.drop, frame },
    );
    expect(sent()).toEqual(expected);
    // As on a node, whose agent writes no routes to pods of others.
    routes?.delete({ prefix: 128, address: c });
    expect(sent()).toEqual(expected);
    if (ofC) routes?.set({ prefix: 128, address: c }, ofC);
    expect(described(run(answer, 'eth0')).to).toBe(`${node1}:${ports.elsewhere} > ${a}:${clientPort}`);
    expect(described(run(more, 'eth0')).to).toBe(`${client}:${clientPort} > ${a}:8080`);
  });
});

test.each(families)('nobody outside sends in the place of a pod here that has an end of a flow (%s)', (family) => {
  const [client, node1, a, b] = addressesIn(net, family, 'client', 'node1', 'a', 'b');
  const ofPod = { source: b, destination: node1, sourcePort: clientPort, destinationPort: ports.here };
  const ofClient = { ...ofPod, source: client };
  const back = { source: a, destination: client, sourcePort: 8080, destinationPort: clientPort };
  onNode1((run) => {
    expect(run(withEthernetHeader(synPacket(ofPod)), 'b').verdict).toBe(verdicts.redirect);
    expect(run(withEthernetHeader(synPacket(ofClient)), 'eth0').verdict).toBe(verdicts.redirect);
    const before = flowsOfNode1();
    // Whether such an address may come from outside is for the stack to say: it gets what was sent.
    for (const frame of [
      withEthernetHeader(flagged(synPacket(ofPod), 0x10)),
      withEthernetHeader(synPacket(back, { isAnswer: true })),
    ])
      expect(run(frame, 'eth0')).toEqual({ verdict: verdicts.leave, frame });
    expect(flowsOfNode1()).toEqual(before);
    expect(described(run(withEthernetHeader(synPacket(back, { isAnswer: true })), 'a')).to).toBe(
      `${node1}:${ports.here} > ${client}:${clientPort}`,
    );
  });
});

test.each(families)('what goes to a process of the host is counted as left to its stack (%s)', (family) => {
  const [client, node1] = addressesIn(net, family, 'client', 'node1');
  onNode1((run) => {
    const { plane, serve: give } = planes[0] ?? {};
    give?.({ address: everyNode[family], port: ports.here, backends: ['node1'], family, flags: serviceFlags.nodePort });
    const counted = () => {
      const { forwarded = 0, leftToStack = 0 } = plane?.counts([1]).get(1) ?? {};
      return { forwarded, leftToStack };
    };
    const before = counted();
    const asked = { source: client, destination: node1, sourcePort: clientPort, destinationPort: ports.here };
    expect(described(run(withEthernetHeader(synPacket(asked)), 'eth0'))).toMatchObject({
      verdict: verdicts.leave,
      to: `${client}:${clientPort} > ${node1}:8080`,
    });
    expect(counted()).toEqual({ ...before, leftToStack: before.leftToStack + 1 });
  });
});

test.each(
  families.flatMap((family) =>
    (
      [
        ['another node', 'node2', 'eth0'],
        ['somebody outside', 'client', 'eth0'],
        ['somebody behind a pod that routes', 'client', 'b'],
      ] as const
    ).map((way) => [family, ...way] as const),
  ),
)('what a pod sends to a service goes by the stack, as do the answers (%s): of %s', (family, _, place, link) => {
  const [a, backend] = ['a', place].map((of) => net.addresses(of)[family]) as [string, string];
  const service = serviceAddress[family];
  const ask = { source: a, destination: service, sourcePort: clientPort, destinationPort: 80 };
  const back = { source: backend, destination: a, sourcePort: 8080, destinationPort: clientPort };
  onNode1((run) => {
    const { plane, serve } = planes[0] ?? {};
    serve?.({ address: service, port: 80, backends: [place], family });
    // Somebody outside is on no node.
    if (place === 'client')
      for (const [key, one] of plane?.maps.backends.entries() ?? [])
        plane?.maps.backends.set(key, { ...one, node: '::' });
    const asked = described(run(withEthernetHeader(synPacket(ask)), 'a'));
    expect(asked).toMatchObject({ verdict: verdicts.leave, to: `${a}:${clientPort} > ${backend}:8080` });
    const answer = withEthernetHeader(synPacket(back, { isAnswer: true }));
    expect(run(answer, link)).toEqual({ verdict: verdicts.leave, frame: answer });
    const counted = () => flowsOfNode1().flatMap(({ type, packets }) => (type === flowTypes.backend ? [packets] : []));
    expect(counted()).toEqual([[1n, 0n]]);
    const runner = plane && testRunner(plane, 'outgoing');
    try {
      const answered = runner?.run(answer, net.ifindex('node1', 'a'));
      expect(answered && described(answered)).toMatchObject({
        verdict: verdicts.leave,
        to: `${service}:80 > ${a}:${clientPort}`,
      });
    } finally {
      runner?.close();
    }
    expect(counted()).toEqual([[1n, 1n]]);
  });
});

test.each(families)(
  'a reset whose number is none of the connection ends nothing, and one that is ends it (%s)',
  (family) => {
    const [client, node1, a] = addressesIn(net, family, 'client', 'node1', 'a');
    const there = { source: client, destination: node1, sourcePort: clientPort, destinationPort: ports.here };
    const back = { source: a, destination: client, sourcePort: 8080, destinationPort: clientPort };
    const [ofClient, ofBackend] = [0xffff_0000, 0x2345_6789];
    const [ack, rst] = [0x10, 0x04];
    onNode1((run) => {
      const sent = (flags: number, seq: number, acknowledged: number) =>
        run(withEthernetHeader(flagged(synPacket(there), flags, { seq, ack: acknowledged })), 'eth0').verdict;
      const answered = (flags: number, seq: number, acknowledged: number) =>
        run(withEthernetHeader(flagged(synPacket(back), flags, { seq, ack: acknowledged })), 'a').verdict;
      sent(0x02, ofClient - 1, 0);
      answered(0x12, ofBackend - 1, ofClient);
      sent(ack, ofClient, ofBackend);
      const hasReset = () => flowsOfNode1().map(({ tcp }) => tcp.map((seen) => (seen & tcpSeen.rst) !== 0));
      const quiet = [
        [false, false],
        [false, false],
      ];
      const far = 0x1000_0000;
      for (const flags of [rst, rst | ack]) {
        expect(sent(flags, ofClient + far, 0)).toBe(verdicts.redirect);
        expect(sent(flags, ofClient - far, 0)).toBe(verdicts.redirect);
        expect(answered(flags, ofBackend + far, 0)).toBe(verdicts.redirect);
        expect(answered(flags, ofBackend - far, 0)).toBe(verdicts.redirect);
      }
      expect(hasReset()).toEqual(quiet);
      // Over the end of the numbers, as far as a window reaches.
      sent(rst, ofClient + 0x20_0000, 0);
      expect(hasReset()).toEqual([
        [true, false],
        [true, false],
      ]);
    });
  },
);

test.each(families)('a late datagram of an earlier backend leaves the flow to the next one as it is (%s)', (family) => {
  const [client, node1, a] = addressesIn(net, family, 'client', 'node1', 'a');
  const ask = { source: client, destination: node1, sourcePort: clientPort, destinationPort: ports.here };
  const late = { source: a, destination: client, sourcePort: 8080, destinationPort: clientPort };
  onNode1((run) => {
    expect(run(withEthernetHeader(datagramOf(ask, 5)), 'eth0').verdict).toBe(verdicts.redirect);
    change((flow) => flow.type === flowTypes.backend, secondsAgo(61));
    // The sweep took the first flow's, and the next one went elsewhere.
    change((flow) => flow.type === flowTypes.service, { createdNs: 1n, backend: net.addresses('b')[family] });
    run(withEthernetHeader(datagramOf(late, 5)), 'a');
    expect(flowsOfNode1()).toMatchObject([{ type: flowTypes.service, createdNs: 1n }]);
  });
});

test.each(families)('a client that only listens keeps its backend, and one that was reset nothing (%s)', (family) => {
  const [client, node1, a] = addressesIn(net, family, 'client', 'node1', 'a');
  const ask = { source: client, destination: node1, sourcePort: clientPort, destinationPort: ports.here };
  const back = { source: a, destination: client, sourcePort: 8080, destinationPort: clientPort };
  const ofService = () => flowsOfNode1().filter(({ type }) => type === flowTypes.service);
  onNode1((run) => {
    run(withEthernetHeader(datagramOf(ask, 5)), 'eth0');
    change(() => true, secondsAgo(50));
    run(withEthernetHeader(datagramOf(back, 5)), 'a');
    const { lastNs } = secondsAgo(10);
    expect(ofService().map((flow) => flow.lastNs > lastNs)).toEqual([true]);
  });
  onNode1((run) => {
    run(withEthernetHeader(synPacket(ask)), 'eth0');
    run(withEthernetHeader(flagged(synPacket(back, { isAnswer: true }), 0x14)), 'a');
    expect(ofService().map(({ tcp }) => (tcp[1] ?? 0) & tcpSeen.rst)).toEqual([tcpSeen.rst]);
  });
});

const tables = () => {
  const { flows, heldFlows } = planes[0]?.plane.maps ?? {};
  const held = [...(heldFlows?.entries() ?? [])].length;
  return { held, others: [...(flows?.entries() ?? [])].length - held };
};

test.each(families)(
  'flows begin in the table from which the kernel drops none, once all programs know it, and those before live on (%s)',
  (family) => {
    const [client, node1, a] = addressesIn(net, family, 'client', 'node1', 'a');
    const from = (sourcePort: number, destinationPort: number = ports.here) =>
      synPacket({ source: client, destination: node1, sourcePort, destinationPort });
    const answer = synPacket(
      { source: a, destination: client, sourcePort: 8080, destinationPort: clientPort },
      { isAnswer: true },
    );
    const lives = (run: Parameters<Parameters<typeof onNode1>[0]>[0]) => {
      const back = described(run(withEthernetHeader(answer), 'a'));
      expect(back).toMatchObject({
        verdict: verdicts.redirect,
        to: `${node1}:${ports.here} > ${client}:${clientPort}`,
      });
      const on = described(run(withEthernetHeader(flagged(from(clientPort), 0x10)), 'eth0'));
      expect(on).toMatchObject({ verdict: verdicts.redirect, to: `${client}:${clientPort} > ${a}:8080` });
    };
    onNode1((run) => {
      const config = planes[0]?.plane.maps.config;
      const known = config?.get(0);
      if (!config || !known) throw new Error('no plane');
      config.set(0, { ...known, flags: configFlags.synced });
      run(withEthernetHeader(from(clientPort)), 'eth0');
      expect(tables()).toEqual({ held: 0, others: 2 });
      config.set(0, known);
      lives(run);
      // Its client's half alone is left, and has the other made anew.
      const { flows } = planes[0]?.plane.maps ?? {};
      for (const [key, { type }] of flows?.entries() ?? []) if (type === flowTypes.backend) flows?.delete(key);
      run(withEthernetHeader(flagged(from(clientPort), 0x10)), 'eth0');
      lives(run);
      expect(tables()).toEqual({ held: 0, others: 2 });
      run(withEthernetHeader(from(clientPort + 1)), 'eth0');
      run(withEthernetHeader(from(clientPort + 2, ports.elsewhere)), 'eth0');
      expect(tables()).toEqual({ held: 3, others: 2 });
      // Over, it begins anew in the other table, and leaves nothing in its own.
      run(withEthernetHeader(flagged(from(clientPort), 0x04)), 'eth0');
      run(withEthernetHeader(from(clientPort)), 'eth0');
      expect(tables()).toEqual({ held: 5, others: 0 });
      lives(run);
    });
  },
);

test.each(families)('about to go, the programs begin nothing and go on with what they have (%s)', (family) => {
  const [client, node1] = addressesIn(net, family, 'client', 'node1');
  const from = (sourcePort: number) =>
    synPacket({ source: client, destination: node1, sourcePort, destinationPort: ports.here });
  onNode1((run) => {
    for (const port of [clientPort, clientPort + 1]) run(withEthernetHeader(from(port)), 'eth0');
    // Closed, the same port begins another one, all of whose packets are left.
    run(withEthernetHeader(flagged(from(clientPort + 1), 0x04)), 'eth0');
    planes[0]?.configure(configFlags.synced | configFlags.leaving);
    const found = [
      from(clientPort),
      from(clientPort + 1),
      flagged(from(clientPort + 1), 0x10),
      from(clientPort + 2),
    ].map((packet) => run(withEthernetHeader(packet), 'eth0').verdict);
    planes[0]?.configure(configFlags.synced);
    expect(found).toEqual([verdicts.redirect, verdicts.leave, verdicts.leave, verdicts.leave]);
  });
});

test.each(families)('what comes by an interface that is not ours is left as it is (%s)', (family) => {
  const [client, node1] = addressesIn(net, family, 'client', 'node1');
  const { plane } = planes[0] ?? {};
  const runner = plane && testRunner(plane, 'incoming');
  const asked = { source: client, destination: node1, sourcePort: clientPort, destinationPort: ports.here };
  serve();
  const given = withEthernetHeader(synPacket(asked));
  const loopback = 1;
  const ran = withinNetwork(net.namespace('node1'), () => runner?.run(given, loopback));
  runner?.close();
  expect(ran).toEqual({ verdict: verdicts.leave, frame: given });
  expect(flowsOfNode1()).toEqual([]);
});
