import { expect, test } from 'vitest';
import { strategicMerge } from './strategic-merge.ts';

const containers = (...items: object[]) => ({ spec: { containers: items } });

test.each([
  ['maps merge, and null deletes', { a: { b: 1, c: 2 } }, { a: { b: null, d: 3 } }, { a: { c: 2, d: 3 } }],
  [
    'a list with a key merges item by item',
    containers({ name: 'a', image: 'x', env: [{ name: 'A', value: '1' }] }, { name: 'b' }),
    containers({ name: 'a', image: 'y', env: [{ name: 'B', value: '2' }] }, { name: 'c' }),
    containers(
      {
        name: 'a',
        image: 'y',
        env: [
          { name: 'A', value: '1' },
          { name: 'B', value: '2' },
        ],
      },
      { name: 'b' },
      { name: 'c' },
    ),
  ],
  [
    'an item is deleted by its key',
    containers({ name: 'a' }, { name: 'b' }),
    { spec: { '$setElementOrder/containers': [{ name: 'b' }], containers: [{ name: 'a', $patch: 'delete' }] } },
    containers({ name: 'b' }),
  ],
  [
    'a list is replaced where that is asked for',
    containers({ name: 'a' }, { name: 'b' }),
    containers({ $patch: 'replace' }, { name: 'c' }),
    containers({ name: 'c' }),
  ],
  ['a list without a key is replaced', { args: ['a', 'b'] }, { args: ['c'] }, { args: ['c'] }],
  [
    'ports of a Service are told apart by their number',
    { ports: [{ port: 80, name: 'http' }] },
    { ports: [{ port: 443 }, { port: 80, name: 'web' }] },
    { ports: [{ port: 80, name: 'web' }, { port: 443 }] },
  ],
  [
    'words are joined, and taken out by name',
    { metadata: { finalizers: ['a', 'b'] } },
    { metadata: { finalizers: ['c'], '$deleteFromPrimitiveList/finalizers': ['a'] } },
    { metadata: { finalizers: ['b', 'c'] } },
  ],
  [
    'a map keeps the members that are named',
    { strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1 } } },
    { strategy: { $retainKeys: ['type'], type: 'Recreate' } },
    { strategy: { type: 'Recreate' } },
  ],
  ['a map is replaced where that is asked for', { a: { b: 1 } }, { a: { $patch: 'replace', c: 2 } }, { a: { c: 2 } }],
])('%s', (_, live, patch, expected) => {
  const before = structuredClone(live);
  expect(strategicMerge(live, patch)).toEqual(expected);
  expect(live).toEqual(before);
});
