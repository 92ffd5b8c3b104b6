import type { KubeObject, ObjectMetadata } from '#lib/kube/index.ts';
import { names } from '#lib/spec/index.ts';
import { defineCollector } from './collector.ts';
import { toldOr } from './coverage.ts';
import { fields, metadata, text } from './lenient.ts';
import { picked } from './query.ts';
import type { Facts } from './schema.ts';
import { endpointConfigMapListing, tracked } from './sources.ts';

type Found = Facts['endpoint']['strays'][number];

const schema = fields({
  metadata,
  data: fields({ [names.endpointHostKey]: text, [names.endpointPortKey]: text }),
});

/** Null for another ConfigMap: not every API filters by name. */
function readEndpointConfigMap(object: KubeObject | ObjectMetadata): Found | null {
  const { metadata: meta, data } = schema.parse(object);
  if (meta.name !== names.endpointConfigMap) return null;
  const { [names.endpointHostKey]: host, [names.endpointPortKey]: port } = data;
  return { namespace: meta.namespace ?? '', host, port };
}

/** The ConfigMap where it is read, and others of the same name that nobody reads (pain A5). */
export const endpointConfigMaps = defineCollector({
  id: 'endpoint-config-maps',
  tells: ['endpointConfigMaps'],
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
      coverage: { endpointConfigMaps: toldOr(false, everywhere) },
    };
  },
});
