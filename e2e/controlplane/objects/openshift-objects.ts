import { definitionOf, openshiftObjects as sampleObjects } from '#lib/sandbox/parts.ts';
import { resources } from '#lib/spec/index.ts';
import type { KubeObject } from '../api.ts';
import { asApplied } from './as-applied.ts';

/** The kinds of OpenShift that Signalbox reads; their schemas accept any field. */
const kinds = [
  { ...resources.openshiftInfrastructures, kind: 'ClusterVersion', plural: 'clusterversions' },
  resources.openshiftInfrastructures,
  resources.openshiftClusterNetworks,
  resources.openshiftNetworkConfigs,
];

/** The objects of an OpenShift cluster before it has a network. Their `status` is written with the object: none of these kinds has a status subresource. */
export const openshiftObjects: readonly KubeObject[] = [
  ...kinds.map((kind) => asApplied(definitionOf(kind))),
  ...sampleObjects('ocp.signalbox.test', '10.128.0.0/14').map((object) => ({
    ...asApplied(object),
    ...(object.apiVersion.includes('openshift.io') && object.status ? { status: object.status } : {}),
  })),
];
