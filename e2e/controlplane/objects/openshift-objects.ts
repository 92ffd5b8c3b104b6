import { definitionOf, openshiftObjects as sampleObjects } from '#lib/sandbox/parts.ts';
import { resources } from '#lib/spec/index.ts';
import type { KubeObject } from '../api.ts';
import { asApplied } from './as-applied.ts';

/** Kinds of OpenShift that are read here; their schemas are left open. */
const kinds = [
  { ...resources.openshiftInfrastructures, kind: 'ClusterVersion', plural: 'clusterversions' },
  resources.openshiftInfrastructures,
  resources.openshiftClusterNetworks,
  resources.openshiftNetworkConfigs,
];

/** What OpenShift leaves before there is a network. The server takes what a cluster tells in `status` with the object, as no kind here has it apart. */
export const openshiftObjects: readonly KubeObject[] = [
  ...kinds.map((kind) => asApplied(definitionOf(kind))),
  ...sampleObjects('ocp.signalbox.test', '10.128.0.0/14').map((object) => ({
    ...asApplied(object),
    ...(object.apiVersion.includes('openshift.io') && object.status ? { status: object.status } : {}),
  })),
];
