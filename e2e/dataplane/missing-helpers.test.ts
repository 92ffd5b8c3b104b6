import { test as anyTest, expect } from 'vitest';
import { flowTypes, loadDataPlane, serviceFlags } from '#lib/node/bpf/index.ts';
import { canRunPrograms } from './testing/can-run-programs.ts';
import { nodePlane } from './testing/node-plane.ts';
import { synPacket, withEthernetHeader } from './testing/packets.ts';
import { testRunner, verdicts } from './testing/test-run.ts';
import { addressesIn, topology } from './testing/topology.ts';
import { withinNetwork } from './testing/within-network.ts';

/** This kernel, as one that says it has no parts of these numbers: helpers, or a field of packets. */

const test = anyTest.runIf(canRunPrograms);

const [fibLookup, jiffies64, getNetnsCookie, setRetval, redirectNeigh] = [69, 118, 122, 187, 152];
const without = (...missing: readonly number[]) => ({
  part: (_type: number, id: number) => !missing.includes(id),
});

test('where a helper is missing that another stands in for, packets are served as ever', async () => {
  const [nodes, pods] = [['node1'], [{ pod: 'a', node: 'node1' }]];
  const net = topology(nodes, pods);
  try {
    const node = nodePlane(net, 'node1', { nodes, pods, has: without(jiffies64, setRetval) });
    try {
      for (const family of ['v4', 'v6'] as const) {
        const all = family === 'v4' ? '0.0.0.0' : '::';
        node.serve({ address: all, port: 30_080, backends: ['a'], family, flags: serviceFlags.nodePort });
        const [client, node1, a] = addressesIn(net, family, 'client', 'node1', 'a');
        if (client === undefined || node1 === undefined || a === undefined) throw new Error('no address');
        const runner = testRunner(node.plane, 'incoming');
        const run = (link: string, packet: Buffer) =>
          withinNetwork(
            net.namespace('node1'),
            () => runner.run(withEthernetHeader(packet), net.ifindex('node1', link)).verdict,
          );
        const ports = Array.from({ length: 20 }, (_, at) => 50_000 + at);
        for (const port of ports) {
          const asked = { source: client, destination: node1, sourcePort: port, destinationPort: 30_080 };
          expect(run('eth0', synPacket(asked))).toBe(verdicts.redirect);
        }
        const answer = { source: a, destination: client, sourcePort: 8080, destinationPort: 50_000 };
        expect(run('a', synPacket(answer, { isAnswer: true }))).toBe(verdicts.redirect);
        runner.close();
        const now = process.hrtime.bigint();
        const flows = Array.from(node.plane.maps.flows.entries(), ([, flow]) => flow);
        const times = flows.filter(({ type }) => type === flowTypes.backend).map(({ lastNs }) => lastNs);
        // The time of a tick would be that of several.
        expect(new Set(times).size).toBe(ports.length);
        expect(times.every((ns) => ns <= now && now - ns < 60_000_000_000n)).toBe(true);
      }
    } finally {
      node.close();
    }
  } finally {
    await net.close();
  }
});

test('where flows have one table alone, it has the room of both', () => {
  const rooms = (has: Parameters<typeof loadDataPlane>[0]['has']) => {
    const { maps, close } = loadDataPlane({ pins: null, ...(has && { has }) });
    close();
    return [maps.heldFlows.maxEntries, maps.flows.maxEntries];
  };
  const [, all] = rooms(undefined);
  expect(rooms(without(redirectNeigh))).toEqual([1, (all ?? 0) + 1]);
});

test('where one is missing that nothing stands in for, it is named, and nothing is loaded', () => {
  const kernel = without(getNetnsCookie, redirectNeigh, jiffies64, fibLookup);
  expect(() => loadDataPlane({ pins: null, has: kernel })).toThrow(
    'This kernel lacks what the programs need: bpf_fib_lookup (Linux 4.18).',
  );
});
