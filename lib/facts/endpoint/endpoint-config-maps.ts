import { dataOf, type KubeObject, type ObjectMetadata } from '#lib/kube/index.ts';
import { metadata } from '#lib/kube/read/metadata.ts';
import { names } from '#lib/spec/index.ts';
import { defineCollector } from '../collector.ts';
import { foundOr } from '../reading/coverage.ts';
import { picked } from '../reading/query.ts';
import { endpointConfigMapListing, tracked } from '../reading/sources.ts';
import type { Facts } from '../schema.ts';

type Found = Facts['endpoint']['strays'][number];

/** Host and port of the endpoint ConfigMap; null for other ConfigMaps, as not every source filters by name. */
function readEndpointConfigMap(object: KubeObject | ObjectMetadata): Found | null {
  const meta = metadata.parse(object.metadata);
  if (meta.name !== names.endpointConfigMap) return null;
  const { [names.endpointHostKey]: host = '', [names.endpointPortKey]: port = '' } = dataOf(object);
  return { namespace: meta.namespace ?? '', host, port };
}

/** The endpoint's ConfigMap in the namespace where Calico reads it, and ConfigMaps of that name elsewhere, which nothing reads (pain A5). */
export const endpointConfigMaps = defineCollector({
  id: 'endpoint-config-maps',
  provides: ['endpointConfigMaps'],
  reads: {
    everywhere: picked(endpointConfigMapListing, readEndpointConfigMap),
    inOperator: tracked.operatorEndpoint,
    inSystem: tracked.systemEndpoint,
  },
  collect: ({ everywhere, inOperator, inSystem }, facts) => {
    const byName = [inOperator, inSystem].flatMap(({ value }) => (value && readEndpointConfigMap(value)) ?? []);
    const found = [...new Map([...byName, ...everywhere.value].map((one) => [one.namespace, one])).values()];
    const { endpointNamespace } = facts.installation;
    return {
      endpoint: {
        configMap: found.find(({ namespace }) => namespace === endpointNamespace) ?? null,
        strays: found.filter(({ namespace }) => namespace !== endpointNamespace),
      },
      coverage: { endpointConfigMaps: foundOr(false, everywhere) },
    };
  },
});
