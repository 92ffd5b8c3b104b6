import type { RunOutcome, RunResult } from '#lib/run/index.ts';

/** The run and its outcome. Throws if the start was refused. */
export function startedRun(result: RunResult): { run: string; outcome: RunOutcome } {
  if ('refused' in result) throw new Error(`the run was refused: ${JSON.stringify(result.refused)}`);
  return result;
}
