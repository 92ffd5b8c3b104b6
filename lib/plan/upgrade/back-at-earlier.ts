import type { Act, Condition } from '../act.ts';
import type { PlanContext } from '../operation.ts';
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

export const backAtEarlierParts = [
  onceOrNever(awaited({ kind: 'upgraded', version: shortText })),
  onceOrNever(takenOutOfInstallation),
  onceOrNever(takenOutOfFelix),
] as const;
