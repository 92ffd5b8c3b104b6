import { expect, test } from 'vitest';
import { aFacts, aNode, uncover } from '../../testing/a-facts.ts';
import { find } from '../../testing/find.ts';

test.each([
  ['5.15.0-1047-kvm', 'fail'],
  ['5.4.0-1103-kvm', 'fail'],
  ['6.8.0-45-generic', 'pass'],
  ['6.1.0-kvm-guest', 'pass'],
  ['', 'pass'],
])('%s: %s', (kernel, status) => {
  expect(find('node.kernel-flavour', { nodes: [aNode({ kernel })] }).status).toBe(status);
});

test('nodes that were not read are unknown', () => {
  expect(find('node.kernel-flavour', uncover(aFacts({ nodes: [] }), 'nodes')).status).toBe('unknown');
});
