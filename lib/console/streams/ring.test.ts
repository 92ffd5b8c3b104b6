import fc from 'fast-check';
import { expect, test } from 'vitest';
import { EventRing } from './ring.ts';

const limits = { events: 10, characters: 1_000 };
const filled = (count: number, own = limits) => {
  const ring = new EventRing(100, own);
  for (let id = 101; id <= 100 + count; id++) ring.push(id, `event ${id}`);
  return ring;
};
const ids = (found: { id: number }[] | null) => found?.map(({ id }) => id) ?? null;

test('everything after an id, or null where it cannot be told', () => {
  fc.assert(
    fc.property(fc.nat(3_000), fc.integer({ min: 90, max: 3_200 }), (count, id) => {
      const floor = 100 + Math.max(0, count - limits.events);
      const last = 100 + count;
      const expected = id < floor || id > last ? null : Array.from({ length: last - id }, (_, index) => id + 1 + index);
      expect(ids(filled(count).after(id))).toEqual(expected);
    }),
    { numRuns: 200 },
  );
});

test('an id of another stream is not taken for one of this', () => {
  expect(filled(5).after(30_000_007)).toBeNull();
  expect(filled(5).after(7)).toBeNull();
});

test('it is bounded by size too; what is larger than the bound does not stay', () => {
  const ring = filled(0, { events: 10, characters: 30 });
  ring.push(101, 'x'.repeat(20));
  ring.push(102, 'y'.repeat(20));
  expect(ids(ring.after(101))).toEqual([102]);
  expect(ring.after(100)).toBeNull();
  ring.push(103, 'z'.repeat(100));
  expect(ring.after(102)).toBeNull();
  expect(ids(ring.after(103))).toEqual([]);
});

test('a chunk holds about as much as was asked for, and at least one event', () => {
  expect(ids(filled(5).after(100, 1))).toEqual([101]);
  expect(ids(filled(5).after(100, 20))).toEqual([101, 102, 103]);
});
