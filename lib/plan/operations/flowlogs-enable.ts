import { apiVersionOf, type ObjectRef, resources } from '#lib/spec/index.ts';
import { followWorkloads, rule } from '../access/rules.ts';
import { agentRollout, pullSeconds } from '../agent-rollout.ts';
import { defineOperation } from '../define-operation.ts';
import { objectOf } from '../objects/objects.ts';
import type { PlanContext } from '../operation.ts';
import { undoneBy } from '../pins/parts.ts';
import { either, exactly } from '../pins/pattern.ts';
import type { Act } from '../schema/act.ts';
import type { Condition } from '../schema/condition.ts';
import { goldmane, restartsInWords, whisker } from '../upgrade/afterwards/flow-logs.ts';
import { isRequested } from '../upgrade/afterwards/refuse-afterwards.ts';

type Step = { act: Act; done: Condition };

/** A Whisker that exists already stays as it is. */
const missing = (context: PlanContext): ObjectRef[] =>
  [goldmane, whisker].filter((target) => !objectOf(context.before, target));

function made(targets: readonly ObjectRef[]): Step {
  const steps = targets.map((target): Step => {
    const { resource, name } = target;
    const body = { apiVersion: apiVersionOf(resource), kind: resource.kind, metadata: { name }, spec: {} };
    return { act: { kind: 'apply', target, body, force: false }, done: { kind: 'exists', target } };
  });
  return { act: { kind: 'sequence', steps }, done: { kind: 'flow-logs-active' } };
}

const takenAway = (targets: ObjectRef[]): Step => ({
  act: { kind: 'delete-all', targets, propagation: 'Background' },
  done: { kind: 'flow-logs-inactive' },
});

const both = [goldmane, whisker];

/** spec › Enable flow logs: Goldmane's API and Whisker's page. Agents restart to learn of them (calico.md §6.1). */
export const flowlogsEnable = defineOperation({
  id: 'flowlogs.enable',
  title: 'Turn flow logs on',
  why: (context) =>
    `Calico then tells what it decided about each connection: \`signalbox flows\` shows it. ${restartsInWords(agentRollout(context).nodes)} Whisker may ask the vendor for news unless its notifications are turned off.`,
  whenPaused: 'Some agents report their flows already, others do not yet. Traffic and policies are as before.',
  effect: 'control-plane',
  reversible: true,
  // As a goal of its own, or after an upgrade.
  appliesTo: (context) => context.choices.goal === 'flow-logs' || isRequested('flow-logs', context),
  mayWrite: () => ({
    step: either(exactly(made(both)), exactly(made([goldmane]))),
    undo: either(undoneBy('options', exactly(takenAway(both))), undoneBy('options', exactly(takenAway([goldmane])))),
  }),
  needs: ({ calicoNamespace }) => [
    ...both.flatMap(({ resource, name }) => [
      rule(resource, ['create']),
      rule(resource, ['get', 'patch', 'delete'], { names: [name] }),
    ]),
    rule(resources.tigeraStatuses, ['get', 'list', 'watch']),
    ...followWorkloads(calicoNamespace),
  ],
  reads: (context) => missing(context).map((target) => ({ target, paths: [] })),
  act: (context) => made(missing(context)).act,
  done: { kind: 'flow-logs-active' },
  undo: (context) => ({
    title: 'Turn flow logs off again, and wait until every agent has restarted',
    ...takenAway(missing(context)),
    phase: 'options',
    usualSeconds: agentRollout(context).usualSeconds + 30,
    deadlineSeconds: agentRollout(context).deadlineSeconds,
  }),
  usualSeconds: (context) => agentRollout(context).usualSeconds + 30,
  deadlineSeconds: (context) => agentRollout(context).deadlineSeconds + pullSeconds,
});
