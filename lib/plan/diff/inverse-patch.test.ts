import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Fields, mergePatch } from '#lib/base/records.ts';
import { expectationHolds, expectationsOf } from '../objects/field.ts';
import { inversePatch } from './inverse-patch.ts';

const key = fc.constantFrom('a', 'b', 'c', 'annotations', 'spec', 'data', '__proto__');
const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom<unknown>(1, true, 'x', 'y', [], [1]),
    fc.dictionary(key, tie('value'), { maxKeys: 3 }),
  ),
}));
const object = fc.dictionary(key, value, { maxKeys: 4 }) as fc.Arbitrary<Fields>;
/** A patch may hold `null` anywhere. */
const { patchValue } = fc.letrec<{ patchValue: unknown }>((tie) => ({
  patchValue: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom<unknown>(null, 2, 'x', [2]),
    fc.dictionary(key, tie('patchValue'), { maxKeys: 3 }),
  ),
}));
const patch = fc.dictionary(key, patchValue, { maxKeys: 4 }) as fc.Arbitrary<Fields>;

/** Empty maps count as absent: the server drops them, and their other keys are not ours. */
function withoutEmpty(given: unknown): unknown {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return given;
  const members = Object.entries(given).map(([name, member]) => [name, withoutEmpty(member)] as const);
  return Object.fromEntries(members.filter(([, member]) => JSON.stringify(member) !== '{}'));
}

test('a patch and then its inverse give the earlier object back', () => {
  fc.assert(
    fc.property(object, patch, (before, change) => {
      const after = mergePatch(before, change);
      expect(withoutEmpty(mergePatch(after, inversePatch(before, change)))).toEqual(withoutEmpty(before));
    }),
  );
});

test('neither target nor patch is changed, and no prototype is', () => {
  fc.assert(
    fc.property(object, patch, (before, change) => {
      const copies = JSON.stringify([before, change]);
      mergePatch(before, change);
      inversePatch(before, change);
      expect(JSON.stringify([before, change])).toBe(copies);
      expect(({} as Fields).a).toBeUndefined();
    }),
  );
});

test('what a patch asks for is there once it was taken in', () => {
  const plain = { spec: { a: 1, gone: null, deep: { b: [1], annotations: { 'x/y': 'z' } } } };
  const after = mergePatch({ spec: { gone: true } }, plain);
  const expectations = expectationsOf(plain);
  expect(expectations).toHaveLength(4);
  expect(expectations.filter((one) => !expectationHolds(after, one))).toEqual([]);
});

test('an undo takes only our key out of a map that others share, and a structure of ours as a whole', () => {
  const change = { metadata: { annotations: { ours: 'x' } }, spec: { dnsConfig: { nameservers: ['1.1.1.1'] } } };
  expect(inversePatch({ metadata: {}, spec: {} }, change)).toEqual({
    metadata: { annotations: { ours: null } },
    spec: { dnsConfig: null },
  });
});
