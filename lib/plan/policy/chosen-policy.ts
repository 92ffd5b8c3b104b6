import { storedNames } from '#lib/calico-api/index.ts';
import { apiVersionOf, type ObjectRef, type PolicyChoice, type Resource, resources } from '#lib/spec/index.ts';
import type { PlanContext } from '../operation.ts';
import { PlanError } from '../plan-error.ts';

/** `shown`: through Calico's own API. `stored`: in the kind that stores it. */
export type PolicyForm = 'shown' | 'stored';

export const policyResources: Readonly<Record<PolicyChoice['kind'], Readonly<Record<PolicyForm, Resource>>>> = {
  StagedNetworkPolicy: { shown: resources.stagedNetworkPoliciesV3, stored: resources.stagedNetworkPolicies },
  NetworkPolicy: { shown: resources.calicoNetworkPoliciesV3, stored: resources.calicoNetworkPolicies },
};

/** The chosen policy. Throws PlanError if there is none. */
export function chosenPolicy({ choices }: Pick<PlanContext, 'choices'>): PolicyChoice {
  if (choices.policy === undefined)
    throw new PlanError('choices.policy', 'policy: no policy is given. Name the file with it: --policy FILE.', [
      'policy',
    ]);
  return choices.policy;
}

/** The form in which policies are written on this cluster: through Calico's own API where it answers. */
export const formOn = ({ facts }: Pick<PlanContext, 'facts'>): PolicyForm =>
  facts.resources.apis.v3Available === true ? 'shown' : 'stored';

function refIn({ kind, metadata: { name, namespace } }: PolicyChoice, form: PolicyForm): ObjectRef {
  const [stored = name] = storedNames(kind, name);
  return { resource: policyResources[kind][form], namespace, name: form === 'shown' ? name : stored };
}

/** The policy as a run creates it, and its reference. `stored`: in Calico's own storage form, whose name has the tier as a prefix. */
export function policyObject(policy: PolicyChoice, form: PolicyForm): { target: ObjectRef; body: PolicyBody } {
  const target = refIn(policy, form);
  const { resource, name, namespace = '' } = target;
  const { kind, spec } = policy;
  return { target, body: { apiVersion: apiVersionOf(resource), kind, metadata: { name, namespace }, spec } };
}

type PolicyBody = Pick<PolicyChoice, 'kind' | 'spec' | 'metadata'> & { apiVersion: string };

/** The objects that are read before a policy is planned: the policy itself, and its namespace. None for other goals. */
export function policyRefs({ facts, choices }: Pick<PlanContext, 'facts' | 'choices'>): ObjectRef[] {
  const { goal, policy } = choices;
  if (goal !== 'policy' || policy === undefined) return [];
  return [policyObject(policy, formOn({ facts })).target, namespaceOf(policy)];
}

/** A reference to the Namespace in which the policy is created, which must exist. */
export function namespaceOf({ metadata: { namespace } }: PolicyChoice): ObjectRef {
  return { resource: resources.namespaces, name: namespace };
}
