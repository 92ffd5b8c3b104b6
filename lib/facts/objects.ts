import { containerNamed, type KubeObject, type ObjectMetadata, workloadOf } from '#lib/kube/index.ts';
import { names, objectId, resources } from '#lib/spec/index.ts';
import { defaultFelix, felixReads } from './calico/felix.ts';
import { defineCollector } from './collector.ts';
import { isDnsService } from './features/node-local-dns.ts';
import { idOf } from './reading/evidence.ts';
import { picked, type Query } from './reading/query.ts';
import { toReadObject } from './reading/read-object.ts';
import type { Reading } from './reading/reading.ts';
import {
  daemonSetListing,
  deploymentListing,
  endpointConfigMapListing,
  serviceListing,
  type TrackedName,
  tracked,
  trackedRefs,
} from './reading/sources.ts';
import type { Facts, ReadObject } from './schema.ts';

type Objects = Facts['resources']['objects'];

const agentObjects = picked(daemonSetListing, (object) =>
  containerNamed(workloadOf(object), names.nodeContainer) ? toReadObject(object) : null,
);
const deploymentObjects = picked(deploymentListing, toReadObject);
const endpointObjects = picked(endpointConfigMapListing, (object) =>
  object.metadata.name === names.endpointConfigMap ? toReadObject(object) : null,
);

const dnsServices = picked(serviceListing, (object) => (isDnsService(object) ? toReadObject(object) : null));

const everyTracked: Query<readonly (readonly [TrackedName, Reading<KubeObject | null>])[]> = {
  rules: Object.values(tracked).flatMap(({ rules }) => rules),
  enlist: (session) => {
    const fetches = (Object.keys(trackedRefs) as TrackedName[]).map(
      (name) => [name, tracked[name].enlist(session)] as const,
    );
    return async () => {
      const value = await Promise.all(fetches.map(async ([name, fetch]) => [name, await fetch()] as const));
      return { value, missing: [] };
    };
  },
};

/** Whole objects that a plan may change or guard. Null: the object does not exist. No key: it was not read. */
export const objects = defineCollector({
  id: 'objects',
  provides: ['operator'],
  reads: { everyTracked, ...felixReads, agentObjects, deploymentObjects, endpointObjects, dnsServices },
  collect: (read, facts) => {
    const byName = read.everyTracked.value.flatMap(([name, reading]) => entryOf(objectId(trackedRefs[name]), reading));
    const felix = entryOf(
      objectId({ resource: resources.felixConfigurations, name: names.felixConfiguration }),
      defaultFelix(read, facts),
    );
    const ofCaches = facts.features.nodeLocalDnsCaches.flatMap(({ services }) => services.map(({ object }) => object));
    const listed = [read.agentObjects, read.deploymentObjects, read.endpointObjects, read.dnsServices]
      .flatMap(({ value }) => value.map((object) => [idOf(object as ObjectMetadata), object] as const))
      .filter(([id, { kind }]) => kind !== 'Service' || ofCaches.includes(id));
    const endpoint = objectId({
      resource: resources.configMaps,
      namespace: facts.installation.endpointNamespace,
      name: names.endpointConfigMap,
    });
    const objects: Objects = Object.fromEntries([...byName, ...felix, ...listed]);
    // An operator in another namespace reads its ConfigMap there; its absence is recorded too.
    if (!(endpoint in objects) && read.endpointObjects.missing.length === 0) objects[endpoint] = null;
    return {
      resources: { objects },
      coverage: {
        operator: {
          covered: read.deploymentObjects.missing.length === 0 || isThere(objects),
          missing: isThere(objects) ? [] : [...read.deploymentObjects.missing],
        },
      },
    };
  },
});

function isThere(objects: Objects): boolean {
  return objects[objectId(trackedRefs.operator)] != null;
}

function entryOf(id: string, { value, missing }: Reading<KubeObject | null>): [string, ReadObject | null][] {
  if (value !== null) return [[id, toReadObject(value)]];
  return missing.length === 0 ? [[id, null]] : [];
}
