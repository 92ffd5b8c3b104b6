import { resources } from '#lib/spec/index.ts';
import type { Kind } from './kinds.ts';

const withoutStatus = new Set([
  'ConfigMap',
  'Secret',
  'ServiceAccount',
  'Event',
  'EndpointSlice',
  'Lease',
  'NetworkPolicy',
]);

/** Kinds that every API server serves. */
export function builtinKinds(): Kind[] {
  return Object.values(resources)
    .filter(({ group }) => !/(tigera|projectcalico|openshift)/.test(group))
    .map((resource) => ({
      resource,
      versions: [resource.version],
      subresources: withoutStatus.has(resource.kind) ? [] : ['status'],
      origin: 'builtin',
    }));
}
