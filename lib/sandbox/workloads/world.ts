import type { KubeObject } from '#lib/kube/index.ts';
import { type Resource, resources } from '#lib/spec/index.ts';
import { Mirror } from './mirror.ts';
import { replicaSets } from './replica-set.ts';
import { daemonSetShape, deploymentShape, nodeShape, podShape, replicaSetShape } from './shapes.ts';

/** Everything that the simulated controllers and nodes look at. */
export type World = ReturnType<typeof emptyWorld>;

export function emptyWorld() {
  const plain = (object: KubeObject): KubeObject => object;
  return {
    nodes: new Mirror((object) => nodeShape.parse(object)),
    pods: new Mirror((object) => podShape.parse(object)),
    daemonSets: new Mirror((object) => daemonSetShape.parse(object)),
    deployments: new Mirror((object) => deploymentShape.parse(object)),
    replicaSets: new Mirror((object) => replicaSetShape.parse(object)),
    configMaps: new Mirror(plain),
    services: new Mirror(plain),
    endpointSlices: new Mirror(plain),
    felixConfigurations: new Mirror(plain),
    openshiftNetworks: new Mirror(plain),
  };
}

export type WorldKind = keyof World;

export const worldResources: Record<WorldKind, Resource> = {
  nodes: resources.nodes,
  pods: resources.pods,
  daemonSets: resources.daemonSets,
  deployments: resources.deployments,
  replicaSets,
  configMaps: resources.configMaps,
  services: resources.services,
  endpointSlices: resources.endpointSlices,
  felixConfigurations: resources.felixConfigurations,
  openshiftNetworks: resources.openshiftNetworkConfigs,
};
