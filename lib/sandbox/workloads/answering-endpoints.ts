import { dataOf, endpointSliceOf, type KubeObject, serviceOf } from '#lib/kube/index.ts';
import { names } from '#lib/spec/index.ts';
import type { PodShape } from './shapes.ts';

/**
 * On ConfigMap kube-public/cluster-info, or on Service default/kubernetes where kubeadm made no such ConfigMap: `host:port` of every
 * endpoint that answers, separated by commas, in place of what the cluster's own objects say. How a sample shows an address that looks
 * right and is not.
 */
export const answersAnnotation = 'signalbox.dev/answers';

export type Answers = {
  /** Reachable from every node, whatever its data plane does. */
  direct: ReadonlySet<string>;
  /** Reachable where something turns ClusterIPs into back ends: a service proxy's rules, or eBPF. */
  throughServices: ReadonlySet<string>;
};

type Seen = { readonly object: KubeObject };

/** What tells it, by `namespace/name`: of the cluster's cache, or read for once. */
export type EndpointSigns = {
  readonly services: { get(key: string): Seen | undefined };
  readonly configMaps: { get(key: string): Seen | undefined };
  readonly endpointSlices: { all(): readonly Seen[] };
};

/** Where the API server can be reached from inside the cluster. */
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

/** kubeadm writes this file itself, one key a line: a YAML parser would cost more than the rest of opening a sandbox. */
function kubeadmEndpoint(configMap: KubeObject | undefined): string | null {
  if (!configMap) return null;
  const text = dataOf(configMap).ClusterConfiguration ?? '';
  const endpoint = /^controlPlaneEndpoint:\s*"?([^\s"]+)"?\s*$/m.exec(text)?.[1];
  if (endpoint === undefined) return null;
  return endpoint.includes(':') ? endpoint : `${endpoint}:6443`;
}

/** The first container that is given an API endpoint by name which does not answer; null when all do, or none is given one. */
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
