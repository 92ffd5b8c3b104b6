import { type Plan, planAsGitops } from '#lib/plan/index.ts';
import type { Report } from '#lib/run/index.ts';
import { shellWordInSentence } from '#lib/text/index.ts';

/**
 * The end state of a run, as YAML to commit to a repository. Null with the reason if the cluster is not in that state, or if the author of the plan
 * is unknown: a reconciler would apply whatever is committed.
 */
export function endStateOfRun(plan: Plan, report: Report): { text: string } | { text: null; because: string } {
  const { release: named } = plan.choices;
  // A foreign journal may have any text there, and the command is copied.
  const release = named === undefined ? '' : ` --release ${shellWordInSentence(named)}`;
  const instead = `\`signalbox plan --goal ${plan.goal}${release} -o gitops\` prints the end state of a plan that is made now.`;
  if (report.state.kind !== 'done')
    return { text: null, because: `Run ${report.run} is not done, so the cluster is not in its end state. ${instead}` };
  if (report.foreign !== null)
    return { text: null, because: `Run ${report.run} was not started here, so its plan is not verified. ${instead}` };
  return { text: planAsGitops(plan) };
}
