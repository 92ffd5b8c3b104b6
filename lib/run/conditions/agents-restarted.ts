import { writtenAt } from '#lib/kube/index.ts';
import { readAgent, toProve, writesInfo } from '#lib/node-state/index.ts';
import type { Condition } from '#lib/plan/index.ts';
import { objectId } from '#lib/spec/index.ts';
import { pathText } from '../acts/fields.ts';
import { type CountedNode, countedNodes } from '../proof/counted-nodes.ts';
import { named } from '../proof/prove-nodes.ts';
import type { ConditionContext } from './context.ts';
import { nodeDaemonSet } from './data-plane-objects.ts';
import { met, type Progress, waiting } from './progress.ts';

/** Agents take a changed setting by starting again (exit 129). Where no log can tell, they are given this long. */
const settleSeconds = 60;
/** An agent that is seen to run on is waited for this long before somebody must decide. */
const restartWithinMs = 120_000;

/**
 * Every agent has started again since the field was written: before the proxy is asked back, no agent may still delete its rules
 * (operations.md › journey 4).
 */
export async function agentsRestarted(
  { since }: Extract<Condition, { kind: 'agents-restarted' }>,
  context: ConditionContext,
): Promise<Progress> {
  const { kube, clock, signal } = context;
  const target = await kube.get(since.target, { signal });
  const written = target ? writtenAt(target, since.path) : null;
  const daemonSet = await kube.get(nodeDaemonSet, { signal });
  if (!daemonSet) return met([], 'there is no agent');
  if (written === null) {
    return {
      kind: 'unknown',
      because: `The run has no record of when ${pathText(since.path)} of ${objectId(since.target)} was written.`,
      subjects: [],
      settleSeconds,
    };
  }
  const { felixResource, runStartedAt } = context;
  const nowMs = clock.now();
  const nodes = await countedNodes({
    kube,
    daemonSet,
    felixResource,
    felix: null,
    toward: null,
    runStartedAt,
    nowMs,
    signal,
  });
  const open: Open[] = [];
  for (const node of nodes) {
    if (node.counts !== null) continue;
    const held = await stillTheSame(node, written, context);
    if (held) open.push(held);
  }
  if (open.length === 0) {
    const value = `every agent restarted since ${new Date(written).toISOString()}`;
    return met([{ object: objectId(since.target), path: pathText(since.path), value }]);
  }
  const subjects = open.map(({ name, detail }) => ({ kind: 'Node', namespace: null, name, detail }));
  const certain = open.some((one) => one.certain);
  if (certain && clock.now() - written < restartWithinMs) {
    return waiting(`${open.length} agents to restart`, subjects.slice(0, 20));
  }
  const words = named(open.map((one) => `${one.name} (${one.detail})`));
  return {
    kind: 'unknown',
    because: `The new setting is not verified on ${open.length === 1 ? 'this agent' : 'these agents'}: ${words}.`,
    subjects,
    // An agent that says nothing may have restarted; one that is seen to run on may still delete the proxy's rules, and no waiting helps.
    ...(certain ? {} : { settleSeconds }),
  };
}

type Open = { name: string; detail: string; certain: boolean };

/** Why this node's agent is not known to have started again since the write; null when it has. `certain`: it is known not to have. */
async function stillTheSame(
  { name, observation: { agent, felix } }: CountedNode,
  written: number,
  { kube, signal }: ConditionContext,
): Promise<Open | null> {
  if (!agent) return { name, detail: 'its agent pod does not exist yet', certain: true };
  if (agent.createdAt >= written || (agent.startedAt ?? 0) >= written) return null;
  const said = await readAgent(kube, agent, written, toProve, signal);
  if (said.kind === 'not-read') return null;
  if (said.kind === 'unreadable') return { name, detail: `its log cannot be read: ${said.because}`, certain: false };
  if (said.startedAt >= written) return null;
  const tells = writesInfo(felix.severity) && !(said.kind === 'silent' && said.reachesBack === 'neither');
  return { name, detail: 'its agent has not reported a restart', certain: tells };
}
