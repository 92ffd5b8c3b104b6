import { type Plan, planAsGitops } from '#lib/plan/index.ts';
import type { Report } from '#lib/run/index.ts';

/**
 * What a run brought about, to commit to a repository (YAML). Null with the reason where the cluster is not in that state, or where nobody here knows who
 * wrote the plan: a reconciler carries out whatever is committed.
 */
export function endStateOfRun(plan: Plan, report: Report): { text: string } | { text: null; because: string } {
  const instead = '`signalbox plan -o gitops` tells the end state of a plan that is made now.';
  if (report.state.kind !== 'done')
    return { text: null, because: `Run ${report.run} is not done, so the cluster is not in its end state. ${instead}` };
  if (report.foreign !== null)
    return { text: null, because: `Run ${report.run} was not started here, so its plan is not verified. ${instead}` };
  return { text: planAsGitops(plan) };
}
