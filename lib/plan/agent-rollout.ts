import { counted } from '#lib/base/words.ts';
import { expectsAgent } from '#lib/spec/index.ts';
import { fieldAt, textAt } from './objects/field.ts';
import { agents } from './objects/object-refs.ts';
import { objectOf } from './objects/objects.ts';
import type { PlanContext } from './operation.ts';

/** How many nodes run an agent, and how long one rolling update of them takes and may take. */
export type AgentRollout = { nodes: number; usualSeconds: number; deadlineSeconds: number };

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
    nodes,
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

/** `the one node`, `all 14 nodes`. */
export function everyNode(count: number): string {
  return count === 1 ? 'the one node' : `all ${counted(count, 'node')}`;
}
