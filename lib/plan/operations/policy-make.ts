import { type PolicyChoice, type Resource, resources } from '#lib/spec/index.ts';
import { rule } from '../access/rules.ts';
import type { Act, Condition } from '../act.ts';
import { defineOperation } from '../define-operation.ts';
import { objectOf } from '../objects/objects.ts';
import type { Effect, PlanContext, Rule } from '../operation.ts';
import { undoneBy } from '../pins/parts.ts';
import { either, exactly } from '../pins/pattern.ts';
import { chosenPolicy, formOn, type PolicyForm, policyObject, policyResources } from '../policy/chosen-policy.ts';

type Kind = PolicyChoice['kind'];

type Row = {
  readonly id: string;
  readonly words: string;
  /** What follows from it. */
  readonly means: string;
  readonly whenPaused: string;
  readonly effect: Effect;
};

const rows: Readonly<Record<Kind, Row>> = {
  StagedNetworkPolicy: {
    id: 'policy.stage',
    words: 'the staged policy',
    means: 'It denies nothing: flow logs then tell what it would deny.',
    whenPaused: 'A staged policy denies nothing, whether or not it is there already. Traffic is as before.',
    effect: 'none',
  },
  NetworkPolicy: {
    id: 'policy.enforce',
    words: 'the policy',
    means: 'Once it is there, what it does not allow is denied to the workload that it selects.',
    whenPaused: 'Where the policy is there already, what it does not allow is denied.',
    effect: 'traffic',
  },
};

function made(policy: PolicyChoice, form: PolicyForm): { act: Act; done: Condition } {
  const { target, body } = policyObject(policy, form);
  return { act: { kind: 'create', target, body }, done: { kind: 'made', target, body } };
}

/** Only what the run itself has made: somebody else may have made one of that name meanwhile. */
function unmade(policy: PolicyChoice, form: PolicyForm): { act: Act; done: Condition } {
  const { target, body } = policyObject(policy, form);
  return {
    act: { kind: 'delete', target, propagation: 'Background', made: body },
    done: { kind: 'unmade', target, body },
  };
}

/** To make one cannot be limited to a name; what is looked at and deleted is this one. None for a policy of the other kind. */
function rulesIn(form: PolicyForm, kind: Kind, chosen: PolicyChoice | undefined): Rule[] {
  const resource = policyResources[kind][form];
  if (chosen === undefined)
    return [rule(resource, ['create', ...onOne]), ...(form === 'shown' ? tieredRules(resource) : [])];
  if (chosen.kind !== kind) return [];
  const { name, namespace = '' } = policyObject(chosen, form).target;
  return [
    rule(resource, ['create'], { namespace }),
    rule(resource, onOne, { namespace, names: [name] }),
    ...(form === 'shown' ? tieredRules(resource, namespace) : []),
  ];
}

const onOne = ['get', 'delete'];

/**
 * Calico's own API asks for rights on the tier, too, and on its policies under a name that stands for all of them (docs.tigera.io › Configure RBAC for
 * tiered policies, read 2026-11-27). The tier is in no namespace.
 */
function tieredRules({ group, plural }: Resource, namespace?: string): Rule[] {
  const where = namespace === undefined ? {} : { namespace };
  return [
    rule(resources.tiersV3, ['get'], { names: ['default'] }),
    { group, resource: `tier.${plural}`, verbs: ['create', ...onOne], names: ['default.*'], ...where },
  ];
}

function makes(kind: Kind) {
  const { id, words, means, whenPaused, effect } = rows[kind];
  const named = (context: PlanContext) => {
    const { namespace, name } = chosenPolicy(context).metadata;
    return `${words} ${namespace}/${name}`;
  };
  const target = (context: PlanContext) => policyObject(chosenPolicy(context), formOn(context)).target;
  return defineOperation({
    id,
    title: (context) => `Make ${named(context)}`,
    why: ({ choices }) =>
      [`It allows what its spec says, and nothing else. ${means}`, ...(choices.policyRemarks ?? [])].join(' '),
    whenPaused,
    effect,
    reversible: true,
    appliesTo: ({ choices }) => choices.goal === 'policy' && choices.policy?.kind === kind,
    // What was chosen, and nothing else.
    mayWrite: (_operation, { policy }) => {
      if (policy === undefined) return { step: () => false };
      return {
        step: either(exactly(made(policy, 'shown')), exactly(made(policy, 'stored'))),
        undo: undoneBy('options', either(exactly(unmade(policy, 'shown')), exactly(unmade(policy, 'stored')))),
      };
    },
    needs: ({ felix, policy }) =>
      felix.flatMap(({ group }) => rulesIn(group === resources.tiersV3.group ? 'shown' : 'stored', kind, policy)),
    // The same policy is there, whoever made it (refuse-policy.ts).
    settled: (context) => Boolean(objectOf(context.before, target(context))),
    // One of this name that is there by then is somebody's own: it is neither changed nor taken away.
    reads: (context) => [{ target: target(context), paths: [] }],
    act: (context) => made(chosenPolicy(context), formOn(context)).act,
    done: (context) => made(chosenPolicy(context), formOn(context)).done,
    undo: (context) => ({
      title: `Delete ${named(context)} again`,
      ...unmade(chosenPolicy(context), formOn(context)),
      phase: 'options',
    }),
  });
}

/** A policy that was suggested from flows, or written by hand. */
export const policyStage = makes('StagedNetworkPolicy');
/** The same, in force: where the release has no staged policies, or once a staged one was reviewed. */
export const policyEnforce = makes('NetworkPolicy');
