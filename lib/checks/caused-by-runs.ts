import { checks } from './checks.ts';

const ids = new Set(checks.filter((check) => check.causedByRuns === true).map(({ id }) => id));

/** Whether a run that is under way makes this check fail. */
export function causedByRuns(id: string): boolean {
  return ids.has(id);
}
