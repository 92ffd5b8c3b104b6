import { storedNames, tierOf, wrongSelector } from '#lib/calico-api/index.ts';
import { apiVersionOf, objectId, type PolicyChoice } from '#lib/spec/index.ts';
import { shellLine } from '#lib/text/index.ts';
import { objectOf } from '../objects/objects.ts';
import { hasSameSpec } from '../objects/same-spec.ts';
import type { PlanContext } from '../operation.ts';
import { PlanError } from '../plan-error.ts';
import { objectArguments, resourceArgument } from '../shell/resource-argument.ts';
import { chosenPolicy, formOn, namespaceOf, policyObject, policyResources } from './chosen-policy.ts';

const defaultTier = 'default';

/** Refuses a policy that cannot be created, or that differs from the one of its name. Throws PlanError with the field or the object. */
export function refusePolicy(context: Pick<PlanContext, 'facts' | 'choices'>): void {
  const policy = chosenPolicy(context);
  refuseTier(policy);
  // Nothing validates a policy in its stored kind, and a component that reads an invalid selector ignores the whole policy.
  const wrong = wrongSelector(policy.spec, 'spec');
  if (wrong !== null) throw new PlanError('choices.policy', `policy: ${wrong}.`, ['policy', 'spec']);
  refuseMissingNamespace(policy, context);
  const { target, body } = policyObject(policy, formOn(context));
  const there = objectOf(context.facts.resources.objects, target);
  if (there && !hasSameSpec(target, there, body))
    throw new PlanError(
      'policy.exists',
      `policy: ${objectId(target)} is there already, with another spec, and is not changed. Give this one another name, or look at the other: ${shellLine('kubectl', 'get', ...objectArguments(target), '-o', 'yaml')}`,
      ['policy', 'metadata', 'name'],
    );
}

/** Another tier needs other rights and has another order, and it is part of the policy's name. */
function refuseTier({ kind, metadata: { name }, spec: { tier = defaultTier } }: PolicyChoice): void {
  if (tier !== defaultTier)
    throw new PlanError(
      'choices.policy',
      `policy: spec.tier is ${JSON.stringify(tier)}, and only policies of the tier ${defaultTier} are made here. Apply it with your own tools.`,
      ['policy', 'spec', 'tier'],
    );
  const named = tierOf(storedNames(kind, name)[0] ?? name);
  if (named !== defaultTier)
    throw new PlanError(
      'choices.policy',
      `policy: metadata.name ${JSON.stringify(name)} says the tier ${named}, and only policies of the tier ${defaultTier} are made here. Give it a name without a dot.`,
      ['policy', 'metadata', 'name'],
    );
}

function refuseMissingNamespace(policy: PolicyChoice, { facts }: Pick<PlanContext, 'facts'>): void {
  const { resource } = policyObject(policy, formOn({ facts })).target;
  const { method, version } = facts.installation;
  const { kind } = policy;
  if (method === 'none')
    throw new PlanError(
      'goal.not-planned',
      `policy: Calico is not installed here, and nothing else reads a ${kind} of its. Install it first.`,
      ['goal'],
    );
  if (method === 'manifest-etcd' && formOn({ facts }) === 'stored')
    throw new PlanError(
      'goal.not-planned',
      `policy: Calico keeps its policies in etcd here, and its own API (${apiVersionOf(policyResources[kind].shown)}) is not available: a ${kind} that Kubernetes keeps would be read by nobody. Apply it with calicoctl.`,
      ['goal'],
    );
  if (facts.resources.apis.notServed?.includes(resourceArgument(resource))) {
    const staged =
      kind === 'StagedNetworkPolicy'
        ? ` Staged policies came with Calico v3.30${version === null ? '' : `, and ${version} runs`}: upgrade first, or give a NetworkPolicy, which denies at once.`
        : '';
    throw new PlanError(
      'choices.policy',
      `policy: this cluster does not serve the kind ${kind} (${apiVersionOf(resource)}).${staged}`,
      ['policy', 'kind'],
    );
  }
  if (objectOf(facts.resources.objects, namespaceOf(policy)) === null)
    throw new PlanError(
      'choices.policy',
      `policy: there is no namespace ${policy.metadata.namespace}. Make it first.`,
      ['policy', 'metadata', 'namespace'],
    );
}
