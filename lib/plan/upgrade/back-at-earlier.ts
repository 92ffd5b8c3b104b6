import { agentRollout, everyNode, pullSeconds } from '../agent-rollout.ts';
import { all } from '../define-operation.ts';
import { earlierVersion } from '../objects/release-objects.ts';
import type { PlanContext, UndoDefinition } from '../operation.ts';
import { awaited } from '../pins/parts.ts';
import { onceOrNever, shortText } from '../pins/pattern.ts';
import type { Act } from '../schema/act.ts';
import type { Condition } from '../schema/condition.ts';
import { takenOut, takenOutOfFelix, takenOutOfInstallation } from './written-by-operator.ts';

/** The end of the way back, once the earlier operator runs: every node is awaited, then fields go that only the new operator writes. */
export function backAtEarlier(context: PlanContext): { act: Act; done: Condition }[] {
  const version = earlierVersion(context);
  if (version === null) return [];
  return [{ act: { kind: 'wait' }, done: { kind: 'upgraded', version } }, ...takenOut(context)];
}

/** The way back of an operation that brought a release. Its times are those of a rollout of the agents, and `besideSeconds` for the steps themselves. */
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
