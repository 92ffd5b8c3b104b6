import type { Condition } from '#lib/plan/index.ts';
import { objectId } from '#lib/spec/index.ts';
import { pathText, writtenAt } from '../fields.ts';
import { met, type Progress, waiting } from '../progress.ts';
import { readLogSince } from '../proof/agent-log-reader.ts';
import { countedNodes } from '../proof/counted-nodes.ts';
import type { ConditionContext } from './context.ts';
import { nodeDaemonSet } from './data-plane-objects.ts';

/** Agents take a changed setting by starting again (exit 129). Where no log can tell, they are given this long. */
const settleSeconds = 60;

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
  const nodes = await countedNodes(kube, daemonSet, clock.now(), context.runStartedAt, signal);
  const open: { name: string; detail: string; certain: boolean }[] = [];
  for (const node of nodes) {
    if (node.counts !== null) continue;
    if (!node.pod) {
      open.push({ name: node.name, detail: 'its agent pod does not exist yet', certain: true });
      continue;
    }
    if ((node.pod.startedAt ?? 0) >= written) continue;
    const reading = await readLogSince(kube, node.pod, written, node.pod.startedAt, signal);
    if (reading.kind === 'read' && (reading.log.startedAt ?? 0) >= written) continue;
    open.push({
      name: node.name,
      detail:
        reading.kind === 'read'
          ? 'its agent has not said that it started again'
          : `its log cannot be read: ${reading.because}`,
      certain: false,
    });
  }
  if (open.length === 0)
    return met([
      {
        object: objectId(since.target),
        path: pathText(since.path),
        value: `every agent started again since ${new Date(written).toISOString()}`,
      },
    ]);
  const subjects = open.map(({ name, detail }) => ({ kind: 'Node', namespace: null, name, detail }));
  if (open.some((one) => one.certain)) return waiting(`${open.length} agents to start again`, subjects.slice(0, 20));
  return {
    kind: 'unknown',
    because: `Whether ${open.length === 1 ? 'this agent has' : 'these agents have'} taken the setting cannot be told: ${open
      .slice(0, 5)
      .map((one) => `${one.name} (${one.detail})`)
      .join('; ')}.`,
    subjects,
    settleSeconds,
  };
}
