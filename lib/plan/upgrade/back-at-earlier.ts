import type { Act, Condition } from '../act.ts';
import { agentRollout, everyNode, pullSeconds } from '../agent-rollout.ts';
import { all } from '../define-operation.ts';
import type { PlanContext, UndoDefinition } from '../operation.ts';
import { awaited } from '../pins/parts.ts';
import { onceOrNever, shortText } from '../pins/pattern.ts';
import { takenOut, takenOutOfFelix, takenOutOfInstallation } from './written-by-operator.ts';

/** The release that an upgrade begins at, for its way back: that of its files, else as the cluster tells it. */
export function earlierVersion({ running, facts }: PlanContext): string | null {
  return running?.version ?? facts.installation.version;
}

/** What follows on the way back once the earlier operator is in place: every node is awaited, then goes what only the new one knew. */
export function backAtEarlier(context: PlanContext): { act: Act; done: Condition }[] {
  const version = earlierVersion(context);
  if (version === null) return [];
  return [{ act: { kind: 'wait' }, done: { kind: 'upgraded', version } }, ...takenOut(context)];
}

/** The way back of what brought a release: `title` and these steps, then as long for every node as the way there took. `besideSeconds`: what the steps take beside the nodes. */
export function wayBackToEarlier(
  context: PlanContext,
  {
    title,
    steps,
    besideSeconds,
  }: { title: string; steps: readonly { act: Act; done: Condition }[]; besideSeconds: number },
): UndoDefinition {
  const version = earlierVersion(context);
  const { nodes, usualSeconds, deadlineSeconds } = agentRollout(context);
  return {
    title: `${title}${version === null ? '' : `, and wait until ${version} runs on ${everyNode(nodes)}`}`,
    act: { kind: 'sequence', steps: [...steps] },
    done: all(...steps.map(({ done }) => done)),
    phase: 'release',
    usualSeconds: usualSeconds + besideSeconds,
    deadlineSeconds: deadlineSeconds + pullSeconds,
  };
}

export const backAtEarlierParts = [
  onceOrNever(awaited({ kind: 'upgraded', version: shortText })),
  onceOrNever(takenOutOfInstallation),
  onceOrNever(takenOutOfFelix),
] as const;
