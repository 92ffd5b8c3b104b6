import { counted } from '#lib/base/words.ts';
import { expectsAgent } from '#lib/spec/index.ts';
import { fieldAt, textAt } from './objects/field.ts';
import { agents } from './objects/object-refs.ts';
import { objectOf } from './objects/objects.ts';
import type { PlanContext } from './operation.ts';

/** How many nodes run an agent, null if not all nodes could be read, and how long one rolling update of them takes and may take. */
export type AgentRollout = { nodes: number | null; usualSeconds: number; deadlineSeconds: number };

/** Image pulled already; measured in the recordings at 3–12 s, with slower registries in mind. */
const usualSecondsABatch = 20;
/** A pull and a slow node take less; a batch that takes longer is stuck. */
const deadlineSecondsABatch = 120;
const deadlineSecondsAtLeast = 180;

/** Before its agent restarts, each node pulls the new release's images. */
export const pullSeconds = 300;

/** The rollout of the agents, by the nodes that run one and the `maxUnavailable` of their DaemonSet. */
export function agentRollout(context: Pick<PlanContext, 'facts' | 'before'>): AgentRollout {
  const nodes = context.facts.nodes.filter(expectsAgent).length;
  const daemonSet = objectOf(context.before, agents(context));
  const batches = Math.ceil(nodes / atOnce(daemonSet, nodes));
  return {
    nodes: context.facts.coverage.nodes.covered ? nodes : null,
    usualSeconds: Math.max(1, batches) * usualSecondsABatch,
    deadlineSeconds: deadlineSecondsAtLeast + batches * deadlineSecondsABatch,
  };
}

/** How many nodes restart at once. The operator's default is 1; a percentage is rounded up, as the DaemonSet controller does. */
function atOnce(daemonSet: unknown, nodes: number): number {
  const path = ['spec', 'updateStrategy', 'rollingUpdate', 'maxUnavailable'];
  const count = fieldAt(daemonSet, path);
  if (typeof count === 'number') return Math.max(1, count);
  const percent = /^(\d{1,3})%$/.exec(textAt(daemonSet, path) ?? '')?.[1];
  return percent === undefined ? 1 : Math.max(1, Math.ceil((nodes * Number(percent)) / 100));
}

/** `1 node`, `14 nodes`; `all nodes` if their number is not known. */
export function manyNodes(count: AgentRollout['nodes']): string {
  return count === null ? 'all nodes' : counted(count, 'node');
}

/** `the one node`, `all 14 nodes`; `all nodes` if their number is not known. */
export function everyNode(count: AgentRollout['nodes']): string {
  if (count === null) return 'all nodes';
  return count === 1 ? 'the one node' : `all ${counted(count, 'node')}`;
}
