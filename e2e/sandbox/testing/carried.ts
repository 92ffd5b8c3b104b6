import type { RunOutcome, RunResult } from '#lib/run/index.ts';

/** A run that started, or was carried on, and how it ended. Throws when it was refused. */
export function carried(result: RunResult): { run: string; outcome: RunOutcome } {
  if ('refused' in result) throw new Error(`the run was refused: ${JSON.stringify(result.refused)}`);
  return result;
}
