import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  difference,
  type FieldSet,
  fromFieldsV1,
  intersection,
  isEmpty,
  pathForPeople,
  pathsOf,
  sameSet,
  setOf,
  toFieldsV1,
  union,
} from './field-set.ts';

const element = fc.constantFrom(
  'f:a',
  'f:b',
  'f:spec',
  'k:{"name":"x"}',
  'k:{"port":80,"protocol":"TCP"}',
  'v:"x"',
  'v:1',
);
const set: fc.Arbitrary<FieldSet> = fc
  .array(fc.array(element, { minLength: 1, maxLength: 3 }), { maxLength: 6 })
  .map((paths) => setOf(...paths));

function same(a: FieldSet, b: FieldSet): void {
  expect(sameSet(a, b)).toBe(true);
}

test('FieldsV1 is read back as it was written', () => {
  fc.assert(fc.property(set, (a) => same(fromFieldsV1(toFieldsV1(a)), a)));
});

test('union and intersection are commutative, associative and absorb each other', () => {
  fc.assert(
    fc.property(set, set, set, (a, b, c) => {
      same(union(a, b), union(b, a));
      same(intersection(a, b), intersection(b, a));
      same(union(union(a, b), c), union(a, union(b, c)));
      same(intersection(a, union(a, b)), a);
    }),
  );
});

test('a difference and the intersection make up the whole, and share nothing', () => {
  fc.assert(
    fc.property(set, set, (a, b) => {
      same(union(difference(a, b), intersection(a, b)), a);
      expect(isEmpty(intersection(difference(a, b), b))).toBe(true);
    }),
  );
});

test('a member with children is marked by a dot', () => {
  expect(toFieldsV1(setOf(['f:spec'], ['f:spec', 'f:a'], ['f:data', 'f:b']))).toEqual({
    'f:spec': { '.': {}, 'f:a': {} },
    'f:data': { 'f:b': {} },
  });
});

test('paths read as the server prints them', () => {
  const paths = pathsOf(
    setOf(['f:spec', 'f:ports', 'k:{"port":80,"protocol":"TCP"}', 'f:name'], ['f:metadata', 'f:finalizers', 'v:"x"']),
  );
  expect(paths.map(pathForPeople)).toEqual(['.metadata.finalizers[="x"]', '.spec.ports[port=80,protocol="TCP"].name']);
});
