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

test.each([
  ['Bottlerocket (EKS Auto, Standard) 2025.12.5 (aws-k8s-1.34-standard)', 'fail'],
  ['Bottlerocket (EKS Auto, Nvidia) 2026.1.1 (aws-k8s-1.35-nvidia)', 'fail'],
  ['Bottlerocket OS 1.26.1 (aws-k8s-1.34)', 'pass'],
])('without its labels a node is known by its system: %s: %s', (osImage, status) => {
  const { status: foundStatus, evidence } = find('platform.eks-auto-mode', {
    nodes: [aNode({ osImage, computeType: null })],
  });
  expect([foundStatus, ...evidence.map(({ value }) => value)]).toEqual(
    status === 'fail' ? ['fail', osImage] : ['pass'],
  );
});

test('nodes that were not read are unknown', () => {
  expect(find('platform.eks-auto-mode', uncover(aFacts({ nodes: [] }), 'nodes')).status).toBe('unknown');
});
