import { expect, test } from 'vitest';
import type { NodeFact } from '#lib/facts/index.ts';
import { agentRollout, everyNode, manyNodes } from './agent-rollout.ts';
import type { PlanContext } from './operation.ts';

const node = (differs: Partial<NodeFact>) => ({ os: 'linux', virtual: false, agentCannotLand: null, ...differs });

test.each<[string, Partial<NodeFact>, number]>([
  ['a Linux node', {}, 1],
  ['a node that reports no system, as every proof counts it', { os: '' }, 1],
  ['a Windows node', { os: 'windows' }, 0],
  ['a virtual node', { virtual: true }, 0],
  ['one on which no agent can land', { agentCannotLand: 'it has a taint' }, 0],
])('of a rollout of the agents: %s', (_what, differs, nodes) => {
  const coverage = { nodes: { covered: true, missing: [] } };
  const facts = { nodes: [node(differs)], coverage, installation: {}, resources: { objects: {} } };
  const context = { facts, before: {} } as unknown as Pick<PlanContext, 'facts' | 'before'>;
  expect(agentRollout(context)).toMatchObject({ nodes });
});

test.each([
  ['nodes that may not be read', [], false, null, 'all nodes', 'all nodes'],
  ['a dump with some of the nodes', [node({})], false, null, 'all nodes', 'all nodes'],
  ['one node', [node({})], true, 1, '1 node', 'the one node'],
])('a rollout has no number that nobody counted: %s', (_what, read, covered, nodes, many, every) => {
  const coverage = { nodes: { covered, missing: [] } };
  const facts = { nodes: read, coverage, installation: {}, resources: { objects: {} } };
  const rollout = agentRollout({ facts, before: {} } as unknown as Pick<PlanContext, 'facts' | 'before'>);
  expect(rollout.nodes).toBe(nodes);
  expect([manyNodes(rollout.nodes), everyNode(rollout.nodes)]).toEqual([many, every]);
});
