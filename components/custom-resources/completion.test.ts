import { expect, test } from 'vitest';
import type { FieldSchema } from '#lib/installation/index.ts';
import { completionAt } from './completion.ts';

const group = (properties: Record<string, FieldSchema>): FieldSchema => ({ type: 'object', properties });
const schema = group({
  registry: { type: 'string', about: 'Where images are.' },
  fipsMode: { type: 'string', enum: ['Enabled', 'Disabled'] },
  calicoNetwork: group({
    mtu: { type: 'integer' },
    ipPools: { type: 'array', items: group({ name: { type: 'string' }, encapsulation: { enum: ['VXLAN', 'None'] } }) },
    nodeAddressAutodetectionV4: group({ firstFound: { type: 'boolean' }, interface: { type: 'string' } }),
  }),
});

/** `|` is where the cursor is. */
test.each([
  ['spec:\n  |', 0, ['registry', 'fipsMode', 'calicoNetwork']],
  ['spec:\n  reg|', 3, ['registry', 'fipsMode', 'calicoNetwork']],
  ['spec:\n  calicoNetwork:\n    mtu: 1\n  |', 0, ['registry', 'fipsMode', 'calicoNetwork']],
  ['spec:\n  calicoNetwork:\n    |', 0, ['mtu', 'ipPools', 'nodeAddressAutodetectionV4']],
  ['spec:\n  calicoNetwork:\n    ipPools:\n      - |', 0, ['name', 'encapsulation']],
  ['spec:\n  calicoNetwork:\n    ipPools:\n    - name: a\n      enc|', 3, ['name', 'encapsulation']],
  ['spec:\n  calicoNetwork:\n    ipPools:\n      - name: a\n      - name: b\n        |', 0, ['name', 'encapsulation']],
  ['spec:\n  calicoNetwork:\n    ipPools:\n    - name: a\n    |', 0, ['mtu', 'ipPools', 'nodeAddressAutodetectionV4']],
  ['spec:\n  calicoNetwork:\n    ipPools:\n      - encapsulation: V|', 1, ['VXLAN', 'None']],
  ['spec:\n  calicoNetwork:\n    nodeAddressAutodetectionV4:\n      firstFound: |', 0, ['true', 'false']],
  ['spec:\n  fipsMode: |\n  broken: [', 0, ['Enabled', 'Disabled']],
  ['|', 0, ['spec']],
])('%j', (marked, typed, labels) => {
  const offset = marked.indexOf('|');
  const found = completionAt(marked.replace('|', ''), offset, schema);
  expect(found?.options.map(({ label }) => label)).toEqual(labels);
  expect(found?.from).toBe(offset - typed);
});

test.each([
  'spec:\n  registry: |',
  'spec:\n  unknown:\n    |',
  'spec:\n  # calico|',
  'spec:\n  registry: "a b|',
  'metadata:\n  |',
])('%j has nothing to offer', (marked) => {
  expect(completionAt(marked.replace('|', ''), marked.indexOf('|'), schema)).toBeNull();
});

test('a group of fields opens, a value is waited for', () => {
  const found = completionAt('spec:\n  ', 8, schema);
  expect(found?.options.map(({ insert }) => insert)).toEqual(['registry: ', 'fipsMode: ', 'calicoNetwork:']);
  expect(found?.options.map(({ detail }) => detail)).toEqual(['text', 'Enabled | Disabled', '']);
});
