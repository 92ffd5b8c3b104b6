import { expect, test } from 'vitest';
import { type PatchType, patchTypeOf } from '#lib/kube/index.ts';
import { strategicMerge } from './strategic-merge.ts';

const [pod, node, service, slice, account, deployment] = [
  patchTypeOf('', 'Pod'),
  patchTypeOf('', 'Node'),
  patchTypeOf('', 'Service'),
  patchTypeOf('discovery.k8s.io', 'EndpointSlice'),
  patchTypeOf('', 'ServiceAccount'),
  patchTypeOf('apps', 'Deployment'),
];

type Fields = Record<string, unknown>;
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
    { spec: { ports: [{ port: 80, name: 'http' }] } },
    { spec: { ports: [{ port: 443 }, { port: 80, name: 'web' }] } },
    { spec: { ports: [{ port: 80, name: 'web' }, { port: 443 }] } },
    service,
  ],
  [
    'words are joined, and taken out by name',
    { metadata: { finalizers: ['a', 'b'] } },
    { metadata: { finalizers: ['c'], '$deleteFromPrimitiveList/finalizers': ['a'] } },
    { metadata: { finalizers: ['b', 'c'] } },
  ],
  [
    'a map keeps the members that are named',
    { spec: { strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1 } } } },
    { spec: { strategy: { $retainKeys: ['type'], type: 'Recreate' } } },
    { spec: { strategy: { type: 'Recreate' } } },
    deployment,
  ],
  ['a map is replaced where that is asked for', { a: { b: 1 } }, { a: { $patch: 'replace', c: 2 } }, { a: { c: 2 } }],
  [
    'taints of a Node are replaced as a whole: kubectl sends those that stay',
    { spec: { taints: [{ key: 'a' }, { key: 'b' }] } },
    { spec: { $setElementOrder: [{ key: 'b' }], taints: [{ key: 'b' }] } },
    { spec: { taints: [{ key: 'b' }] } },
    node,
  ],
  [
    'ports of an EndpointSlice are replaced as a whole',
    { ports: [{ name: 'a', port: 80 }] },
    { ports: [{ name: 'b', port: 81 }] },
    { ports: [{ name: 'b', port: 81 }] },
    slice,
  ],
  [
    'pull secrets of a ServiceAccount are replaced, its secrets merge by their name',
    { imagePullSecrets: [{ name: 'a' }], secrets: [{ name: 'a' }] },
    { imagePullSecrets: [{ name: 'b' }], secrets: [{ name: 'c' }] },
    { imagePullSecrets: [{ name: 'b' }], secrets: [{ name: 'a' }, { name: 'c' }] },
    account,
  ],
  [
    'a member that is named like one of every object is a member',
    { data: {} },
    { data: { constructor: [{ a: 1 }], toString: { b: 1 } } },
    { data: { constructor: [{ a: 1 }], toString: { b: 1 } } },
  ],
] as readonly [string, Fields, Fields, Fields, PatchType?][])('%s', (_, live, patch, expected, type = pod) => {
  const before = structuredClone(live);
  expect(strategicMerge(live, patch, type)).toEqual(expected);
  expect(live).toEqual(before);
});

test('an item that does not say which one it is is refused', () => {
  expect(() => strategicMerge({}, containers({ image: 'x' }), pod)).toThrow(/has no name/);
});
