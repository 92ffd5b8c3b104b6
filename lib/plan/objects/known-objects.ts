import type { Facts } from '#lib/facts/index.ts';
import { names, objectId } from '#lib/spec/index.ts';
import { endpointConfigMap } from './object-refs.ts';
import { type Objects, objectOf } from './objects.ts';

/**
 * The objects with which a plan starts: those that were read whole, and the endpoint's ConfigMap. That one is found by name in every namespace, so it
 * is known even if the operator runs in another one.
 */
export function knownObjects(facts: Facts): Objects {
  const { objects } = facts.resources;
  const target = endpointConfigMap({ facts });
  if (objectOf(objects, target) !== undefined || !facts.coverage.endpointConfigMaps.covered) return objects;
  const { configMap } = facts.endpoint;
  if (configMap === null) return { ...objects, [objectId(target)]: null };
  const data = { [names.endpointHostKey]: configMap.host, [names.endpointPortKey]: configMap.port };
  const metadata = { name: target.name, namespace: configMap.namespace };
  return { ...objects, [objectId(target)]: { apiVersion: 'v1', kind: 'ConfigMap', metadata, data } };
}
