import { checks } from './checks.ts';

const ids = new Set(checks.filter((check) => check.causedByRuns === true).map(({ id }) => id));

/** Whether a run that is under way fails this check by itself. */
export function causedByRuns(id: string): boolean {
  return ids.has(id);
}
