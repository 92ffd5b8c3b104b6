import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { canonicalJson, mergePatch, same, valueAt } from './records.ts';

test.each<[unknown, (string | number)[], unknown]>([
  [{ a: { b: 1 } }, ['a', 'b'], 1],
  [{ a: { b: 1 } }, ['a', 'c'], undefined],
  [{ a: [{ b: 1 }] }, ['a', '0', 'b'], 1],
  [{ a: [{ b: 1 }] }, ['a', 0, 'b'], 1],
  [{ a: [1] }, ['a', 'length'], undefined],
  [{ a: 'text' }, ['a', 'length', 'x'], undefined],
  [{ a: null }, ['a'], null],
  [{ a: null }, ['a', 'b'], undefined],
  [{}, ['__proto__', 'toString'], undefined],
  [JSON.parse('{"__proto__":{"a":1}}'), ['__proto__', 'a'], 1],
])('in %j at %j stands %j', (root, path, value) => {
  expect(valueAt(root, path)).toBe(value);
});

test('equality does not depend on the order of keys, and a key without a value is none', () => {
  expect(same({ a: 1, b: [1, 2] }, { b: [1, 2], a: 1 })).toBe(true);
  expect(same([1, 2], [2, 1])).toBe(false);
  expect(same({ a: undefined }, {})).toBe(true);
  expect(same({}, { a: null })).toBe(false);
  expect(same({}, [])).toBe(false);
  expect(same({ toString: undefined }, { a: 1 })).toBe(false);
});

test('two values are the same when their text with sorted keys is', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), (left, right) => {
      const [one, other]: unknown[] = [JSON.parse(JSON.stringify(left)), JSON.parse(JSON.stringify(right))];
      expect(same(one, other)).toBe(isDeepStrictEqual(one, other));
      expect(same(one, JSON.parse(canonicalJson(one)))).toBe(true);
    }),
  );
});

test('order of keys says nothing, order of items does', () => {
  expect(canonicalJson({ b: 1, a: { d: [1, 2], c: null } })).toBe('{"a":{"c":null,"d":[1,2]},"b":1}');
  expect(canonicalJson({ b: undefined, a: 1 })).toBe('{"a":1}');
  expect(canonicalJson([2, 1])).toBe('[2,1]');
});

/** RFC 7396, appendix A. */
test.each([
  [{ a: 'b' }, { a: 'c' }, { a: 'c' }],
  [{ a: 'b' }, { b: 'c' }, { a: 'b', b: 'c' }],
  [{ a: 'b' }, { a: null }, {}],
  [{ a: 'b', b: 'c' }, { a: null }, { b: 'c' }],
  [{ a: ['b'] }, { a: 'c' }, { a: 'c' }],
  [{ a: 'c' }, { a: ['b'] }, { a: ['b'] }],
  [{ a: { b: 'c' } }, { a: { b: 'd', c: null } }, { a: { b: 'd' } }],
  [{ a: [{ b: 'c' }] }, { a: [1] }, { a: [1] }],
  [
    ['a', 'b'],
    ['c', 'd'],
    ['c', 'd'],
  ],
  [{ a: 'b' }, ['c'], ['c']],
  [{ a: 'foo' }, null, null],
  [{ a: 'foo' }, 'bar', 'bar'],
  [{ e: null }, { a: 1 }, { e: null, a: 1 }],
  [[1, 2], { a: 'b', c: null }, { a: 'b' }],
  [{}, { a: { bb: { ccc: null } } }, { a: { bb: {} } }],
])('merge patch: %j with %j', (target, patch, expected) => {
  expect(mergePatch(target, patch)).toEqual(expected);
});

test('a merge patch applied twice is applied once, changes neither argument and no prototype', () => {
  fc.assert(
    fc.property(fc.json(), fc.json(), (a, b) => {
      const [target, patch]: unknown[] = [JSON.parse(a), JSON.parse(b)];
      const once = mergePatch(target, patch);
      expect(mergePatch(once, patch)).toEqual(once);
      expect([target, patch]).toEqual([JSON.parse(a), JSON.parse(b)]);
    }),
  );
  mergePatch({}, JSON.parse('{"__proto__":{"a":1}}'));
  expect(({} as Record<string, unknown>).a).toBeUndefined();
});
