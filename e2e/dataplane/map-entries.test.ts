import { test as anyTest, expect } from 'vitest';
import { loadDataPlane } from '#lib/node/bpf/index.ts';
import { canRunPrograms } from './testing/can-run-programs.ts';

/** Many entries at once, in a hash and in a trie of the running kernel. */

const test = anyTest.runIf(canRunPrograms);

const addressOf = (index: number) => `10.${index >> 16}.${(index >> 8) & 255}.${index & 255}`;

test('all stand as they were given, in the order in which they were given', () => {
  const plane = loadDataPlane({ pins: null });
  try {
    const { services, sourceRanges } = plane.maps;
    const values = Array.from({ length: 3000 }, (_, index) => {
      const key = { address: index % 2 === 0 ? addressOf(index) : `fd00::${index}`, port: index, protocol: 6 };
      return [key, { id: index, clusterBackends: 3, localBackends: 1, flags: 8, affinityS: 10 }] as const;
    });
    expect(services.setAll(values)).toBe(values.length);
    for (const [key, value] of values) expect(services.get(key)).toEqual(value);
    // Of one key the later value stands.
    const [[key, value]] = values as unknown as [(typeof values)[number]];
    services.setAll([
      [key, { ...value, id: 1 }],
      [key, { ...value, id: 2 }],
    ]);
    expect(services.get(key)?.id).toBe(2);

    const ranges = Array.from({ length: 300 }, (_, index) => {
      const key = { prefix: 32 + 96 + 24, service: index + 1, address: `10.0.${index & 255}.0` };
      return [key, 1] as const;
    });
    expect(sourceRanges.setAll(ranges)).toBe(ranges.length);
    for (const [key] of ranges) expect(sourceRanges.get(key)).toBe(1);
  } finally {
    plane.close();
  }
});

test('a map that has no room takes those before, and says so of the next', () => {
  const plane = loadDataPlane({ pins: null });
  try {
    const { sourceRanges } = plane.maps;
    const most = sourceRanges.maxEntries;
    const all = Array.from({ length: most + 10 }, (_, index) => {
      const key = { prefix: 32 + 128, service: 1, address: addressOf(index) };
      return [key, 1] as const;
    });
    expect(sourceRanges.setAll(all)).toBe(most);
    expect(() => sourceRanges.setAll(all.slice(most))).toThrow(expect.objectContaining({ code: 'full' }));
    expect([...sourceRanges.entries()]).toHaveLength(most);
  } finally {
    plane.close();
  }
});
