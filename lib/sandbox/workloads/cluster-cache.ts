import { Informer } from '#lib/kube/index.ts';
import { type Resource, resources } from '#lib/spec/index.ts';
import { replicaSets } from './replica-set.ts';
import { daemonSetShape, deploymentShape, nodeShape, type PodShape, podShape, replicaSetShape } from './shapes.ts';

/** All objects that the simulated controllers and nodes read. */
export type ClusterCache = ReturnType<typeof emptyClusterCache>;

export function emptyClusterCache() {
  const plain = () => new Informer((object) => object, {});
  return {
    nodes: new Informer((object) => nodeShape.parse(object), {}),
    pods: new Informer((object) => podShape.parse(object), {
      node: ({ spec }) => [spec.nodeName ?? ''],
      owner: ownersOf,
    }),
    daemonSets: new Informer((object) => daemonSetShape.parse(object), {}),
    deployments: new Informer((object) => deploymentShape.parse(object), {}),
    replicaSets: new Informer((object) => replicaSetShape.parse(object), { owner: ownersOf }),
    configMaps: plain(),
    services: plain(),
    endpointSlices: plain(),
    felixConfigurations: plain(),
    openshiftNetworks: plain(),
  };
}

/** Their UIDs. */
const ownersOf = ({ metadata }: Pick<PodShape, 'metadata'>) => metadata.ownerReferences.map(({ uid }) => uid);

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
