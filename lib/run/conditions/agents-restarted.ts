import { inParallel } from '#lib/base/async/in-parallel.ts';
import { counted } from '#lib/base/words.ts';
import { writtenAt } from '#lib/kube/index.ts';
import { agentsAtOnce, readAgent, toProve, writesInfo } from '#lib/node-state/index.ts';
import type { Condition } from '#lib/plan/index.ts';
import { objectId } from '#lib/spec/index.ts';
import { pathText } from '../acts/fields.ts';
import { type CountedNode, countedNodes } from '../proof/counted-nodes.ts';
import { firstNames } from '../proof/prove-nodes.ts';
import type { ConditionContext } from './context.ts';
import { nodeDaemonSet } from './data-plane-objects.ts';
import { met, type Progress, waiting } from './progress.ts';

/** How long the step waits for agents whose restart nothing shows; then it counts as done. Agents take up a changed setting by restarting (exit code 129). */
const settleSeconds = 60;
/** How long the step waits for an agent that is known not to have restarted; then the user must decide. */
const restartWithinMs = 120_000;

/**
 * Every agent has restarted since the field was written. Before kube-proxy comes back, no agent may be left that would delete its rules
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
  const due = nodes.filter(({ counts }) => counts === null);
  const open = (await inParallel(due, agentsAtOnce, (node) => whyNotRestarted(node, written, context))).filter(
    (one) => one !== null,
  );
  if (open.length === 0) {
    const value = `every agent restarted since ${new Date(written).toISOString()}`;
    return met([{ object: objectId(since.target), path: pathText(since.path), value }]);
  }
  const subjects = open.map(({ name, detail }) => ({ kind: 'Node', namespace: null, name, detail }));
  const certain = open.some((one) => one.certain);
  if (certain && clock.now() - written < restartWithinMs) {
    return waiting(`${counted(open.length, 'agent')} to restart`, subjects.slice(0, 20));
  }
  const words = firstNames(open.map((one) => `${one.name} (${one.detail})`));
  return {
    kind: 'unknown',
    because: `The new setting is not verified on ${open.length === 1 ? 'this agent' : 'these agents'}: ${words}.`,
    subjects,
    // An agent whose log cannot be read may have restarted. An agent that has not restarted may delete kube-proxy's rules, however long the run waits.
    ...(certain ? {} : { settleSeconds }),
  };
}

type Open = { name: string; detail: string; certain: boolean };

/** Why the restart of this node's agent since `written` is not verified; null if it is. `certain`: the agent is known not to have restarted. */
async function whyNotRestarted(
  { name, observation: { agent, felix } }: CountedNode,
  written: number,
  { kube, signal }: ConditionContext,
): Promise<Open | null> {
  if (!agent) return { name, detail: 'its agent pod does not exist yet', certain: true };
  if (agent.createdAt >= written || (agent.startedAt ?? 0) >= written) return null;
  const log = await readAgent(kube, agent, written, toProve, signal);
  if (log.kind === 'not-read') return null;
  if (log.kind === 'unreadable') return { name, detail: `its log cannot be read: ${log.because}`, certain: false };
  if (log.startedAt >= written) return null;
  const tells = writesInfo(felix.severity) && !(log.kind === 'silent' && log.reachesBack === 'neither');
  return { name, detail: 'its agent has not reported a restart', certain: tells };
}
