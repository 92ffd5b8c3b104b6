import { names, pullSecretsOf, watchRefs } from '#lib/spec/index.ts';
import { agentRollout } from '../agent-rollout.ts';
import { defineOperation } from '../define-operation.ts';
import { temporaryDiff, testedDiff } from '../diff/temporary-objects.ts';
import type { PlanContext } from '../operation.ts';
import { askingNodes } from '../words/asking-nodes.ts';

/** *unknown* where the run does not watch Services (operations.md › verify.services). */
export const verifyServices = defineOperation({
  id: 'verify.services',
  title: (context) =>
    context.choices.watchServices === true
      ? `Services answer from ${askingNodes(agentRollout(context).nodes)}`
      : 'Services from every node: not tested',
  why: (context) =>
    context.choices.watchServices === true
      ? `From before the first step that touches traffic on, pods in a namespace of their own (${names.watchNamespace}) ask the ClusterIP of the API, cluster DNS and a NodePort from ${askingNodes(agentRollout(context).nodes)}, without any rights and in the agent's own image. They are removed at the end of the run. Where they may not be made, the run continues and says so.`
      : 'Not watched in this plan. Test a ClusterIP, DNS and a NodePort from each node yourself; the report says that it is not verified.',
  whenPaused: 'Traffic is as before.',
  effect: 'none',
  reversible: true,
  appliesTo: () => true,
  mayWrite: () => ({ step: { act: { kind: 'verify' }, done: { kind: 'services-answer' } } }),
  needs: () => [],
  act: { kind: 'verify' },
  done: { kind: 'services-answer' },
  changes: (context) => {
    const { objects = [], ended } = context.facts.measured?.plan ?? {};
    const tested = testedDiff(objects, ended);
    return context.choices.watchServices === true
      ? `${tested}${temporaryDiff(watchRefs(agentSecrets(context)))}`
      : tested;
  },
  usualSeconds: 10,
  deadlineSeconds: 120,
});

/** The pods ask in the agent's image, with copies of its pull Secrets where those may be made. */
function agentSecrets({ facts, before }: PlanContext): string[] {
  return pullSecretsOf(before[facts.installation.agent ?? '']);
}
