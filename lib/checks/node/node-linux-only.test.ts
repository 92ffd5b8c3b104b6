import { expect, test } from 'vitest';
import { aNode } from '../testing/a-facts.ts';
import { find } from '../testing/find.ts';

const windows = aNode({ name: 'win-1', os: 'windows', osImage: 'Windows Server 2022 Datacenter' });

test.each([
  ['only Linux nodes', [aNode()], 'pass'],
  ['a Windows node', [aNode(), windows], 'fail'],
  ['a node that does not tell', [aNode({ os: '' })], 'unknown'],
] as const)('%s: %s', (_name, nodes, expected) => {
  expect(find('node.linux-only', { nodes: [...nodes] }).status).toBe(expected);
});

test('it counts and names the Windows nodes', () => {
  expect(find('node.linux-only', { nodes: [aNode(), windows] }).because).toBe(
    '1 node runs Windows: win-1. eBPF mode needs all nodes to be Linux.',
  );
});
