import { expect, test } from 'vitest';
import type { JsonPatchOperation } from '../../port.ts';
import { jsonPatch } from './json-patch.ts';

/** RFC 6902, appendix A, and what the API server's library does where it is laxer. */
test.each<[string, unknown, JsonPatchOperation[], unknown]>([
  ['add a member', { foo: 'bar' }, [{ op: 'add', path: '/baz', value: 'qux' }], { baz: 'qux', foo: 'bar' }],
  ['add an item', { foo: ['a', 'c'] }, [{ op: 'add', path: '/foo/1', value: 'b' }], { foo: ['a', 'b', 'c'] }],
  ['append', { foo: ['a'] }, [{ op: 'add', path: '/foo/-', value: 'b' }], { foo: ['a', 'b'] }],
  ['remove an item', { foo: ['a', 'b'] }, [{ op: 'remove', path: '/foo/0' }], { foo: ['b'] }],
  ['replace', { foo: 1 }, [{ op: 'replace', path: '/foo', value: 2 }], { foo: 2 }],
  ['replace what was not there', {}, [{ op: 'replace', path: '/foo', value: 2 }], { foo: 2 }],
  ['move', { a: { b: 1 }, c: {} }, [{ op: 'move', from: '/a/b', path: '/c/b' }], { a: {}, c: { b: 1 } }],
  ['copy', { a: [1] }, [{ op: 'copy', from: '/a', path: '/b' }], { a: [1], b: [1] }],
  ['test', { a: { b: [1] } }, [{ op: 'test', path: '/a', value: { b: [1] } }], { a: { b: [1] } }],
  [
    'escapes',
    { 'a/b': 1, 'm~n': 2 },
    [
      { op: 'remove', path: '/a~1b' },
      { op: 'remove', path: '/m~0n' },
    ],
    {},
  ],
  [
    '__proto__ is a name',
    {},
    [{ op: 'add', path: '/__proto__', value: { a: 1 } }],
    JSON.parse('{"__proto__":{"a":1}}'),
  ],
])('JSON patch: %s', (_, document, operations, expected) => {
  const result = jsonPatch(document, operations);
  expect(result).toEqual(expected);
  expect(Object.getPrototypeOf(result)).toBe(Object.prototype);
});

test.each<[string, JsonPatchOperation]>([
  ['a parent that is not there', { op: 'add', path: '/x/y', value: 1 }],
  ['removing what is not there', { op: 'remove', path: '/x' }],
  ['another value', { op: 'test', path: '/a', value: 2 }],
  ['an index beyond the end', { op: 'add', path: '/list/2', value: 1 }],
  ['an index that is none', { op: 'remove', path: '/list/x' }],
  ['a pointer that is none', { op: 'add', path: 'a', value: 1 }],
  ['moving something into itself', { op: 'move', from: '/deep', path: '/deep/er' }],
])('JSON patch: %s is invalid', (_, operation) => {
  expect(() => jsonPatch({ a: 1, list: [1], deep: {} }, [operation])).toThrow(
    expect.objectContaining({ code: 'invalid' }),
  );
});
