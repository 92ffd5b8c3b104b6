import { calicoNamespace, felixResource, operatorNamespace, servicesOfDnsCaches } from '../objects/object-refs.ts';
import { customResourceRefs, definedGroups, definitionTargets } from '../objects/release-objects.ts';
import type { PlanContext, RuleScope } from '../operation.ts';
import { usualScope } from './rules.ts';

/** Where things are on this cluster, and what is brought there, so that permissions name no more than that. */
export function scopeOf(known: Pick<PlanContext, 'facts'> & Partial<Pick<PlanContext, 'release'>>): RuleScope {
  const { release } = known;
  const services = servicesOfDnsCaches(known);
  return {
    ...usualScope,
    operatorNamespace: operatorNamespace(known),
    calicoNamespace: calicoNamespace(known),
    ...(services.length > 0 ? { dnsServices: services } : {}),
    felix: [felixResource(known)],
    ...(release
      ? {
          definedGroups: definedGroups(release),
          definitions: definitionTargets(release).map(({ name }) => name),
          customResources: customResourceRefs(release),
        }
      : {}),
  };
}
