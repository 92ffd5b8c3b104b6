import type { PlanContext, RuleScope } from './operation.ts';
import { calicoNamespace, felixResource, operatorNamespace } from './places.ts';

/** Where things are on this cluster, so that permissions name no more than that. */
export function scopeOf(known: Pick<PlanContext, 'facts'>): RuleScope {
  return {
    operatorNamespace: operatorNamespace(known),
    calicoNamespace: calicoNamespace(known),
    felix: [felixResource(known)],
  };
}
