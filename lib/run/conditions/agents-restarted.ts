import type { Condition } from '#lib/plan/index.ts';
import { objectId } from '#lib/spec/index.ts';
import { pathText, writtenAt } from '../fields.ts';
import { met, type Progress, waiting } from '../progress.ts';
import { writesInfo } from '../proof/agent-log.ts';
import { readLogSince } from '../proof/agent-log-reader.ts';
import { type CountedNode, countedNodes } from '../proof/counted-nodes.ts';
import { named } from '../proof/prove-nodes.ts';
import { logSeverities } from '../proof/severity.ts';
import type { ConditionContext } from './context.ts';
import { nodeDaemonSet } from './data-plane-objects.ts';

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
      because: `When ${pathText(since.path)} of ${objectId(since.target)} was written is not recorded.`,
      subjects: [],
      settleSeconds,
    };
  }
  const severities = await logSeverities(kube, context.felixResource, daemonSet, signal);
  const nodes = await countedNodes(kube, daemonSet, clock.now(), context.runStartedAt, signal);
  const open: Open[] = [];
  for (const node of nodes) {
    if (node.counts !== null) continue;
    const held = await stillTheSame(node, written, severities.of(node.name), context);
    if (held) open.push(held);
  }
  if (open.length === 0) {
    const value = `every agent started again since ${new Date(written).toISOString()}`;
    return met([{ object: objectId(since.target), path: pathText(since.path), value }]);
  }
  const subjects = open.map(({ name, detail }) => ({ kind: 'Node', namespace: null, name, detail }));
  const certain = open.some((one) => one.certain);
  if (certain && clock.now() - written < restartWithinMs) {
    return waiting(`${open.length} agents to start again`, subjects.slice(0, 20));
  }
  const words = named(open.map((one) => `${one.name} (${one.detail})`));
  return {
    kind: 'unknown',
    because: `Whether ${open.length === 1 ? 'this agent has' : 'these agents have'} taken the setting cannot be told: ${words}.`,
    subjects,
    // An agent that says nothing may have restarted; one that is seen to run on may still delete the proxy's rules, and no waiting helps.
    ...(certain ? {} : { settleSeconds }),
  };
}

type Open = { name: string; detail: string; certain: boolean };

/** Why this node's agent is not known to have started again since the write; null when it has. `certain`: it is known not to have. */
async function stillTheSame(
  { name, pod }: CountedNode,
  written: number,
  severity: string | null,
  { kube, signal }: ConditionContext,
): Promise<Open | null> {
  if (!pod) return { name, detail: 'its agent pod does not exist yet', certain: true };
  if (pod.createdAt >= written || (pod.startedAt ?? 0) >= written) return null;
  const reading = await readLogSince(kube, pod, written, pod.startedAt, signal);
  if (reading.kind === 'unreadable')
    return { name, detail: `its log cannot be read: ${reading.because}`, certain: false };
  if ((reading.log.startedAt ?? 0) >= written) return null;
  const tells = writesInfo(severity) && reading.reachesBack;
  return { name, detail: 'its agent has not said that it started again', certain: tells };
}
