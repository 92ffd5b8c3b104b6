import { Informer, type KubeObject } from '#lib/kube/index.ts';
import { type Resource, resources } from '#lib/spec/index.ts';
import { replicaSets } from './replica-set.ts';
import { daemonSetShape, deploymentShape, nodeShape, podShape, replicaSetShape } from './shapes.ts';

/** All objects that the simulated controllers and nodes read. */
export type ClusterCache = ReturnType<typeof emptyClusterCache>;

export function emptyClusterCache() {
  const plain = (object: KubeObject): KubeObject => object;
  return {
    nodes: new Informer((object) => nodeShape.parse(object)),
    /** Grouped by node. */
    pods: new Informer(
      (object) => podShape.parse(object),
      ({ spec }) => spec.nodeName ?? '',
    ),
    daemonSets: new Informer((object) => daemonSetShape.parse(object)),
    deployments: new Informer((object) => deploymentShape.parse(object)),
    replicaSets: new Informer((object) => replicaSetShape.parse(object)),
    configMaps: new Informer(plain),
    services: new Informer(plain),
    endpointSlices: new Informer(plain),
    felixConfigurations: new Informer(plain),
    openshiftNetworks: new Informer(plain),
  };
}

export type CachedKind = keyof ClusterCache;

export const cachedResources: Record<CachedKind, Resource> = {
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
