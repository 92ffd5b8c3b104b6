import { expect, test } from 'vitest';
import type { NodeFact } from '#lib/facts/index.ts';
import { agentRollout } from './agent-rollout.ts';
import type { PlanContext } from './operation.ts';

const node = (differs: Partial<NodeFact>) => ({ os: 'linux', virtual: false, agentCannotLand: null, ...differs });

test.each<[string, Partial<NodeFact>, number]>([
  ['a Linux node', {}, 1],
  ['a node that reports no system, as every proof counts it', { os: '' }, 1],
  ['a Windows node', { os: 'windows' }, 0],
  ['a virtual node', { virtual: true }, 0],
  ['one on which no agent can land', { agentCannotLand: 'it has a taint' }, 0],
])('of a rollout of the agents: %s', (_what, differs, nodes) => {
  const facts = { nodes: [node(differs)], installation: {}, resources: { objects: {} } };
  const context = { facts, before: {} } as unknown as Pick<PlanContext, 'facts' | 'before'>;
  expect(agentRollout(context)).toMatchObject({ nodes });
});
