import { expect, test } from 'vitest';
import { aFacts, aNode, uncover } from '../testing/a-facts.ts';
import { find } from '../testing/find.ts';

test.each([
  ['auto', 'fail'],
  ['hybrid', 'pass'],
  ['ec2', 'pass'],
  [null, 'pass'],
])('a node of compute type %s: %s', (computeType, status) => {
  expect(find('platform.eks-auto-mode', { nodes: [aNode(), aNode({ computeType })] }).status).toBe(status);
});

test('nodes that were not read are unknown', () => {
  expect(find('platform.eks-auto-mode', uncover(aFacts({ nodes: [] }), 'nodes')).status).toBe('unknown');
});
