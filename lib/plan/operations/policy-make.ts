import { type PolicyChoice, type Resource, resources } from '#lib/spec/index.ts';
import { rule } from '../access/rules.ts';
import { defineOperation } from '../define-operation.ts';
import { objectOf } from '../objects/objects.ts';
import type { PlanContext } from '../operation.ts';
import { undoneBy } from '../pins/parts.ts';
import { either, exactly } from '../pins/pattern.ts';
import { chosenPolicy, formOn, type PolicyForm, policyObject, policyResources } from '../policy/chosen-policy.ts';
import type { Act } from '../schema/act.ts';
import type { Condition } from '../schema/condition.ts';
import type { Effect, Rule } from '../schema/planned-operation.ts';

type Kind = PolicyChoice['kind'];

type Row = {
  readonly id: string;
  readonly words: string;
  /** What the policy means for traffic. */
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

/** Deletes only what this run created: somebody else may have created a policy of that name meanwhile. */
function unmade(policy: PolicyChoice, form: PolicyForm): { act: Act; done: Condition } {
  const { target, body } = policyObject(policy, form);
  return {
    act: { kind: 'delete', target, propagation: 'Background', made: body },
    done: { kind: 'unmade', target, body },
  };
}

/** The right to create cannot be limited to a name; reading and deleting is limited to this one. No rules for a policy of the other kind. */
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
 * Calico's own API also requires rights on the tier, and on its policies under a name that stands for all of them (docs.tigera.io › Configure RBAC
 * for tiered policies, read 2026-11-27). Tiers are cluster-scoped.
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
    // Exactly the chosen policy.
    mayWrite: (_operation, { policy }) => {
      if (policy === undefined) return { step: () => false };
      return {
        step: either(exactly(made(policy, 'shown')), exactly(made(policy, 'stored'))),
        undo: undoneBy('options', either(exactly(unmade(policy, 'shown')), exactly(unmade(policy, 'stored')))),
      };
    },
    needs: ({ felix, policy }) =>
      felix.flatMap(({ group }) => rulesIn(group === resources.tiersV3.group ? 'shown' : 'stored', kind, policy)),
    // The same policy exists, whoever created it (refuse-policy.ts).
    settled: (context) => Boolean(objectOf(context.before, target(context))),
    // If a policy of this name exists by then, it is somebody else's: it is neither changed nor deleted.
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
/** Creates the policy in force: where the release has no staged policies, or once the staged one was reviewed. */
export const policyEnforce = makes('NetworkPolicy');
