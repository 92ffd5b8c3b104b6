import { type KubeObject, type ObjectMetadata, serviceOf } from '#lib/kube/index.ts';
import { defineCollector } from '../collector.ts';
import { picked } from '../reading/query.ts';
import { serviceListing } from '../reading/sources.ts';
import type { Facts } from '../schema.ts';

type LoadBalancer = Facts['features']['loadBalancers'][number];

/** The older annotation for source ranges, which Kubernetes uses if the field is empty. */
const rangesAnnotation = 'service.beta.kubernetes.io/load-balancer-source-ranges';

function loadBalancer(object: KubeObject | ObjectMetadata): LoadBalancer | null {
  const { metadata: meta, spec } = serviceOf(object);
  if (spec.type !== 'LoadBalancer') return null;
  const annotated = (meta.annotations[rangesAnnotation] ?? '')
    .split(',')
    .map((range) => range.trim())
    .filter((range) => range !== '');
  const sourceRanges = spec.loadBalancerSourceRanges.length > 0 ? spec.loadBalancerSourceRanges : annotated;
  return { namespace: meta.namespace ?? '', name: meta.name, sourceRanges };
}

/** Services of type LoadBalancer with their source ranges (pain B9, E9). */
export const loadBalancers = defineCollector({
  id: 'features/load-balancers',
  provides: ['loadBalancers'],
  reads: { services: picked(serviceListing, loadBalancer) },
  collect: ({ services }) => ({ features: { loadBalancers: services.value } }),
});
