import { dataOf, endpointSliceOf, type KubeObject, serviceOf } from '#lib/kube/index.ts';
import { names } from '#lib/spec/index.ts';
import type { PodShape } from './shapes.ts';

/**
 * Lists the endpoints that answer (`host:port`, separated by commas), in place of what the cluster's own objects say. So a sample can show an address
 * that looks right and does not answer. Stands on ConfigMap kube-public/cluster-info, or on Service default/kubernetes where kubeadm made no such
 * ConfigMap.
 */
export const answersAnnotation = 'signalbox.dev/answers';

export type Answers = {
  /** Reachable from every node, whatever its data plane does. */
  direct: ReadonlySet<string>;
  /** Reachable where something turns ClusterIPs into back ends: the rules of a service proxy, or eBPF. */
  throughServices: ReadonlySet<string>;
};

type Seen = { readonly object: KubeObject };

/** The objects that tell which endpoints answer, by `namespace/name`: the simulation's cache, or objects read once. */
export type EndpointSigns = {
  readonly services: { get(key: string): Seen | undefined };
  readonly configMaps: { get(key: string): Seen | undefined };
  readonly endpointSlices: { all(): readonly Seen[] };
};

/** The endpoints at which the API server answers inside the cluster. */
export function answersOf(cache: EndpointSigns): Answers {
  const throughServices = new Set<string>();
  const kubernetes = cache.services.get('default/kubernetes')?.object;
  if (kubernetes) {
    const { spec } = serviceOf(kubernetes);
    for (const { port } of spec.ports) throughServices.add(`${spec.clusterIP}:${port}`);
  }
  const stated =
    cache.configMaps.get('kube-public/cluster-info')?.object.metadata.annotations?.[answersAnnotation] ??
    kubernetes?.metadata.annotations?.[answersAnnotation];
  if (stated !== undefined) return { direct: new Set(stated.split(',').map((each) => each.trim())), throughServices };

  const direct = new Set<string>();
  for (const { object } of cache.endpointSlices.all()) {
    if (object.metadata.labels?.['kubernetes.io/service-name'] !== 'kubernetes') continue;
    const { endpoints, ports } = endpointSliceOf(object);
    for (const address of endpoints.flatMap((each) => each.addresses))
      for (const { port } of ports) direct.add(`${address}:${port}`);
  }
  const controlPlaneEndpoint = kubeadmEndpoint(cache.configMaps.get('kube-system/kubeadm-config')?.object);
  if (controlPlaneEndpoint) direct.add(controlPlaneEndpoint);
  return { direct, throughServices };
}

/**
 * `host:port` from kubeadm's ClusterConfiguration. kubeadm writes that file with one key a line; a YAML parser would cost more time than the rest of
 * opening a sandbox.
 */
function kubeadmEndpoint(configMap: KubeObject | undefined): string | null {
  if (!configMap) return null;
  const text = dataOf(configMap).ClusterConfiguration ?? '';
  const endpoint = /^controlPlaneEndpoint:\s*"?([^\s"]+)"?\s*$/m.exec(text)?.[1];
  if (endpoint === undefined) return null;
  return endpoint.includes(':') ? endpoint : `${endpoint}:6443`;
}

/** Name of the first container whose variables name an API endpoint that does not answer. Null: all endpoints answer, or no container names one. */
export function cutOffContainer(pod: PodShape, answers: Answers, hasServices: boolean): string | null {
  for (const { name, env } of [...pod.spec.initContainers, ...pod.spec.containers]) {
    const value = (key: string) => env.find((each) => each.name === key)?.value;
    const host = value(names.endpointHostKey);
    if (host === undefined) continue;
    const endpoint = `${host}:${value(names.endpointPortKey) ?? ''}`;
    if (answers.direct.has(endpoint)) continue;
    if (hasServices && answers.throughServices.has(endpoint)) continue;
    return name;
  }
  return null;
}
