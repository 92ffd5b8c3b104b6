import { storedNames } from '#lib/calico-api/index.ts';
import { apiVersionOf, type ObjectRef, type PolicyChoice, type Resource, resources } from '#lib/spec/index.ts';
import { rule } from '../access/rules.ts';
import type { Act, Condition } from '../act.ts';
import { defineOperation } from '../define-operation.ts';
import type { Effect, PlanContext, Rule } from '../operation.ts';
import { undoneBy } from '../pins/parts.ts';
import { either, exactly } from '../pins/pattern.ts';
import { PlanError } from '../plan-error.ts';

type Kind = PolicyChoice['kind'];
/** Through Calico's own API, or where that keeps it. */
type Form = 'shown' | 'stored';

type Row = {
  readonly id: string;
  readonly resource: Readonly<Record<Form, Resource>>;
  readonly words: string;
  /** What follows from it. */
  readonly means: string;
  readonly whenPaused: string;
  readonly effect: Effect;
};

const rows: Readonly<Record<Kind, Row>> = {
  StagedNetworkPolicy: {
    id: 'policy.stage',
    resource: { shown: resources.stagedNetworkPoliciesV3, stored: resources.stagedNetworkPolicies },
    words: 'the staged policy',
    means: 'It denies nothing: flow logs then tell what it would deny.',
    whenPaused: 'A staged policy denies nothing, whether or not it is there already. Traffic is as before.',
    effect: 'none',
  },
  NetworkPolicy: {
    id: 'policy.enforce',
    resource: { shown: resources.calicoNetworkPoliciesV3, stored: resources.calicoNetworkPolicies },
    words: 'the policy',
    means: 'Once it is there, what it does not allow is denied to the workload that it selects.',
    whenPaused: 'Where the policy is there already, what it does not allow is denied.',
    effect: 'traffic',
  },
};

/** The policy that was chosen. Throws PlanError where none was. */
export function chosenPolicy({ choices }: Pick<PlanContext, 'choices'>): PolicyChoice {
  if (choices.policy === undefined)
    throw new PlanError('choices.policy', 'policy: the goal policy makes one; give it: --policy FILE.', ['policy']);
  return choices.policy;
}

const formOn = ({ facts }: Pick<PlanContext, 'facts'>): Form =>
  facts.resources.apis.v3Available === true ? 'shown' : 'stored';

function refOf({ kind, metadata: { name, namespace } }: PolicyChoice, form: Form): ObjectRef {
  const [stored = name] = storedNames(kind, name);
  return { resource: rows[kind].resource[form], namespace, name: form === 'shown' ? name : stored };
}

function made(policy: PolicyChoice, form: Form): { act: Act; done: Condition } {
  const { target, body } = written(policy, form);
  return { act: { kind: 'create', target, body }, done: { kind: 'made', target, body } };
}

/** Only what the run itself has made: somebody else may have made one of that name meanwhile. */
function unmade(policy: PolicyChoice, form: Form): { act: Act; done: Condition } {
  const { target, body } = written(policy, form);
  return {
    act: { kind: 'delete', target, propagation: 'Background', made: body },
    done: { kind: 'unmade', target, body },
  };
}

function written(policy: PolicyChoice, form: Form) {
  const target = refOf(policy, form);
  const { resource, name, namespace } = target;
  const body = {
    apiVersion: apiVersionOf(resource),
    kind: policy.kind,
    metadata: { name, namespace },
    spec: policy.spec,
  };
  return { target, body };
}

const verbs = ['create', 'get', 'patch', 'delete'];

/**
 * Calico's own API asks for rights on the tier, too, and on its policies under a name that stands for all of them (docs.tigera.io › Configure RBAC for
 * tiered policies, read 2026-11-27).
 */
const tieredRules = ({ group, plural }: Resource): Rule[] => [
  rule(resources.tiersV3, ['get'], { names: ['default'] }),
  { group, resource: `tier.${plural}`, verbs, names: ['default.*'] },
];

function makes(kind: Kind) {
  const { id, resource, words, means, whenPaused, effect } = rows[kind];
  const named = (context: PlanContext) => {
    const { namespace, name } = chosenPolicy(context).metadata;
    return `${words} ${namespace}/${name}`;
  };
  const target = (context: PlanContext) => refOf(chosenPolicy(context), formOn(context));
  return defineOperation({
    id,
    title: (context) => `Make ${named(context)}`,
    why: `It allows what its file says, as it was reviewed. ${means}`,
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
    needs: ({ felix }) =>
      felix.flatMap(({ group }) =>
        group === resource.shown.group
          ? [rule(resource.shown, verbs), ...tieredRules(resource.shown)]
          : [rule(resource.stored, verbs)],
      ),
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
