import { expect, test } from 'vitest';
import { aNode, aPlan } from '../testing/a-cluster.ts';
import { askingNodes } from './asking-nodes.ts';

test.each([
  [1, 'the one node'],
  [50, 'every node'],
  [51, '50 of 51 nodes'],
  [5_000, '50 of 5,000 nodes'],
  [null, 'every node, or from a sample of 50 if there are more'],
])('of %j nodes Services are asked from %s', (nodes, words) => {
  expect(askingNodes(nodes)).toBe(words);
});

test.each([
  [3, 'Services answer from every node', 'a NodePort from every node, without'],
  [60, 'Services answer from 50 of 60 nodes', 'a NodePort from 50 of 60 nodes, without'],
])('a plan for %i nodes says so before the run', (count, title, why) => {
  const nodes = Array.from({ length: count }, (_, index) => aNode(`worker-${index}`));
  const step = aPlan({ nodes }, { watchServices: true }).operations.find(({ id }) => id === 'verify.services');
  expect(step).toMatchObject({ title, why: expect.stringContaining(why) });
});
