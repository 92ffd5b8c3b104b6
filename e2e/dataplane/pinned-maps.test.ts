import { closeSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, test as anyTest, beforeAll, expect } from 'vitest';
import { loadDataPlane, openLibbpf, openLibrary } from '#lib/node/bpf/index.ts';
import { leaveNode } from '#lib/node/index.ts';
import { canRunPrograms } from './testing/can-run-programs.ts';
import { type Topology, topology } from './testing/topology.ts';

/** What an agent finds that one of another version has pinned. */

const test = anyTest.runIf(canRunPrograms);

const lru = 9;
const [keySize, valueSize] = [40, 152];

let net: Topology;

beforeAll(() => {
  if (canRunPrograms) net = topology(['node1'], []);
});

afterAll(() => net?.close());

/** Pins a map `flows` of these sizes, and returns the folder of an agent with it. */
function withFlows(name: string, [ofKey, ofValue]: readonly [number, number], maxEntries: number): string {
  const libbpf = openLibbpf();
  const create = openLibrary('libbpf.so.1').bind(
    'int bpf_map_create(int type, const char *name, uint32_t key, uint32_t value, uint32_t most, const void *options)',
  );
  const pins = join(net.bpffs, name);
  mkdirSync(join(pins, 'maps'), { recursive: true, mode: 0o700 });
  const fd = Number(create(lru, 'flows', ofKey, ofValue, maxEntries, null));
  libbpf.number('pin', 'pin it', fd, join(pins, 'maps', 'flows'));
  closeSync(fd);
  return pins;
}

test('maps of another size are taken over as they are', async () => {
  const pins = withFlows('smaller', [keySize, valueSize], 1000);
  const plane = loadDataPlane({ pins: join(pins, 'maps') });
  expect(plane.maps.flows.maxEntries).toBe(1000);
  plane.close();
  expect(await leaveNode(pins)).toBeGreaterThan(1);
});

test('maps with other records are refused with words, and can be taken away', async () => {
  const pins = withFlows('others', [keySize, valueSize - 8], 1000);
  expect(() => loadDataPlane({ pins: join(pins, 'maps') })).toThrow(
    /flows was pinned by an agent of another version.*40 and 144 bytes.*40 and 152.*signalbox node leave/,
  );
  expect(await leaveNode(pins)).toBeGreaterThan(0);
});
