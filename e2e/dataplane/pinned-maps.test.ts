import { closeSync, existsSync, mkdirSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, test as anyTest, beforeAll, expect } from 'vitest';
import { loadDataPlane, openLibbpf, openLibrary, serviceFlags } from '#lib/node/bpf/index.ts';
import { leaveNode } from '#lib/node/index.ts';
import { canRunPrograms } from './testing/can-run-programs.ts';
import { framesOf } from './testing/frames.ts';
import { nodePlane } from './testing/node-plane.ts';
import { synPacket, withEthernetHeader } from './testing/packets.ts';
import { testRunner, verdicts } from './testing/test-run.ts';
import { type Topology, topology } from './testing/topology.ts';
import { withinNetwork } from './testing/within-network.ts';

/** Maps that an agent of another version has pinned, as the next agent finds them. */

const test = anyTest.runIf(canRunPrograms);

const [hash, lru] = [1, 9];
const [keySize, valueSize] = [40, 152];

const nodes = ['node1'];
const pods = [{ pod: 'a', node: 'node1' }];

let net: Topology;

beforeAll(() => {
  if (canRunPrograms) net = topology(nodes, pods);
});

afterAll(() => net?.close());

/** Pins a table of flows of these sizes, and returns the folder of an agent with it. */
function withFlows(name: string, sizes: readonly [number, number], maxEntries: number): string {
  const pins = join(net.bpffs, name);
  pinTable(join(pins, 'maps'), [lru, 'flows'], sizes, maxEntries);
  return pins;
}

function pinTable(
  maps: string,
  [type, inC]: readonly [number, string],
  [ofKey, ofValue]: readonly [number, number],
  maxEntries: number,
): void {
  const libbpf = openLibbpf();
  const create = openLibrary('libbpf.so.1').bind(
    'int bpf_map_create(int type, const char *name, uint32_t key, uint32_t value, uint32_t most, const void *options)',
  );
  mkdirSync(maps, { recursive: true, mode: 0o700 });
  const fd = Number(create(type, inC, ofKey, ofValue, maxEntries, null));
  libbpf.number('pin', 'pin it', fd, join(maps, inC));
  closeSync(fd);
}

test('maps of another size are taken over as they are', async () => {
  const pins = withFlows('smaller', [keySize, valueSize], 1000);
  const plane = loadDataPlane({ pins: join(pins, 'maps') });
  const { flows, heldFlows } = plane.maps;
  expect(flows.maxEntries - heldFlows.maxEntries).toBe(1000);
  plane.close();
  expect(await leaveNode(pins, null)).toBeGreaterThan(1);
});

test('maps with other records are refused with words, and can be taken away', async () => {
  const pins = withFlows('others', [keySize, valueSize - 8], 1000);
  expect(() => loadDataPlane({ pins: join(pins, 'maps') })).toThrow(
    /flows was pinned by an agent of another version.*40 and 144 bytes.*40 and 152.*signalbox node leave/,
  );
  expect(await leaveNode(pins, null)).toBeGreaterThan(0);
});

/** Pins what these programs have, but what is done to it, and returns the folder of its agent. */
function withPins(name: string, change: (maps: string) => void): string {
  const pins = join(net.bpffs, name);
  const maps = join(pins, 'maps');
  loadDataPlane({ pins: maps }).close();
  change(maps);
  return pins;
}

test.each([
  ['which had one table of flows', 'held_flows'],
  ['which had no table of connections between pods', 'neighbours'],
])('connections of an earlier version, %s, are handed over', async (_what, lacking) => {
  const pins = withPins(`without-${lacking}`, (maps) => unlinkSync(join(maps, lacking)));
  const seen: unknown[] = [];
  await leaveNode(pins, async ({ flows, neighbours }) => void seen.push(flows.maxEntries, ...neighbours.entries()));
  expect(seen).toEqual([expect.any(Number)]);
  expect(existsSync(pins)).toBe(false);
});

test.each([
  ['', []],
  [', also of a version without a table of connections between pods', ['neighbours']],
])('connections whose records cannot be read end only where that is asked for%s', async (_what, lacking) => {
  const pins = withPins(`unread-${lacking.length}`, (maps) => {
    for (const inC of ['flows', ...lacking]) unlinkSync(join(maps, inC));
    pinTable(maps, [lru, 'flows'], [keySize, valueSize - 8], 1000);
  });
  const handing = leaveNode(pins, async () => expect.unreachable());
  await expect(handing).rejects.toThrow(/flows was pinned by an agent of another version.*leave --end-connections/);
  expect(existsSync(join(pins, 'maps', 'config'))).toBe(true);
  expect(await leaveNode(pins, null)).toBeGreaterThan(1);
  expect(existsSync(pins)).toBe(false);
});

test('where the table that drops none is full, flows begin in the other one', () => {
  pinTable(join(net.bpffs, 'node1'), [hash, 'held_flows'], [keySize, valueSize], 3);
  const node = nodePlane(net, 'node1', { nodes, pods });
  const runner = testRunner(node.plane, 'incoming');
  try {
    node.serve({ address: '0.0.0.0', port: 30_080, backends: ['a'], flags: serviceFlags.nodePort });
    const [client, node1, a] = ['client', 'node1', 'a'].map((place) => net.addresses(place).v4) as [
      string,
      string,
      string,
    ];
    const run = (link: string, packet: Buffer) =>
      withinNetwork(net.namespace('node1'), () => runner.run(withEthernetHeader(packet), net.ifindex('node1', link)));
    const ports = [50_000, 50_001, 50_002];
    for (const port of ports) {
      const asked = { source: client, destination: node1, sourcePort: port, destinationPort: 30_080 };
      expect(run('eth0', synPacket(asked)).verdict).toBe(verdicts.redirect);
    }
    const { flows, heldFlows } = node.plane.maps;
    expect([[...heldFlows.entries()].length, [...flows.entries()].length]).toEqual([3, 6]);
    for (const port of ports) {
      const answer = { source: a, destination: client, sourcePort: 8080, destinationPort: port };
      const { verdict, frame } = run('a', synPacket(answer, { isAnswer: true }));
      expect(verdict).toBe(verdicts.redirect);
      expect(framesOf([frame])).toMatchObject([{ source: node1, sourcePort: 30_080, destinationPort: port }]);
    }
    // The first begins anew, where there is room again; the second's half that is left has the other made beside it.
    for (const [key] of heldFlows.entries()) heldFlows.delete(key);
    for (const port of ports) {
      const asked = { source: client, destination: node1, sourcePort: port, destinationPort: 30_080 };
      run('eth0', synPacket(asked));
    }
    expect([[...heldFlows.entries()].length, [...flows.entries()].length]).toEqual([2, 6]);
  } finally {
    runner.close();
    node.close();
  }
});
