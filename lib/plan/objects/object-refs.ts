import { names, type ObjectRef, type Resource, resources } from '#lib/spec/index.ts';
import type { PlanContext } from '../operation.ts';

/** Where the objects of a plan are on this cluster. */

type Known = Pick<PlanContext, 'facts'>;

export const installation: ObjectRef = { resource: resources.installations, name: names.installation };

export const kubeProxy: ObjectRef = {
  resource: resources.daemonSets,
  namespace: names.systemNamespace,
  name: names.kubeProxyDaemonSet,
};

/** The network of EKS. */
export const awsNode: ObjectRef = {
  resource: resources.daemonSets,
  namespace: names.systemNamespace,
  name: 'aws-node',
};

export const kubeProxyConfigMap: ObjectRef = {
  resource: resources.configMaps,
  namespace: names.systemNamespace,
  name: names.kubeProxyDaemonSet,
};

/** Services that a NodeLocal DNSCache answers for, and that only their annotation can keep eBPF from translating. */
export function servicesOfDnsCaches({ facts }: Known): ObjectRef[] {
  const services = facts.features.nodeLocalDnsCaches.flatMap((cache) => cache.services);
  const marked = services.filter(({ bound, asked: isUpstream, isInCidrs }) => bound && !isUpstream && !isInCidrs);
  return [...new Set(marked.map(({ object }) => object))].map((object) => {
    const [namespace = '', , name = ''] = object.split('/');
    return { resource: resources.services, namespace, name };
  });
}

export const openshiftNetwork: ObjectRef = { resource: resources.openshiftNetworkConfigs, name: 'cluster' };

/** kube-proxy's DaemonSet, which OpenShift's network operator runs while `deployKubeProxy` is true. */
export const openshiftProxy: ObjectRef = {
  resource: resources.daemonSets,
  namespace: names.openshiftProxy,
  name: names.openshiftProxy,
};

/** The group in which FelixConfiguration is written: v3 if its API is available, else the stored kind (architecture.md › The port). */
export function felixResource({ facts }: Known): Resource {
  return facts.resources.apis.v3Available === true ? resources.felixConfigurationsV3 : resources.felixConfigurations;
}

/** FelixConfiguration `default`, in the group in which it is written. */
export function felix(known: Known): ObjectRef {
  return { resource: felixResource(known), name: names.felixConfiguration };
}

/** The namespace of Calico's agents: the one that was found, else the operator's default. */
export function calicoNamespace({ facts }: Known): string {
  return facts.installation.namespace ?? names.calicoNamespace;
}

/** The operator's namespace, in which it also reads the endpoint (calico.md §3.2). */
export function operatorNamespace({ facts }: Known): string {
  return facts.installation.endpointNamespace;
}

/** The DaemonSet calico-node, in the namespace where it was found. */
export function agents(known: Known): ObjectRef {
  return { resource: resources.daemonSets, namespace: calicoNamespace(known), name: names.nodeDaemonSet };
}

/** The Deployment tigera-operator, in the operator's namespace. */
export function operatorDeployment(known: Known): ObjectRef {
  return { resource: resources.deployments, namespace: operatorNamespace(known), name: names.operatorDeployment };
}

/** ConfigMap `kubernetes-services-endpoint`, which gives the operator the API server's address. */
export function endpointConfigMap(known: Known): ObjectRef {
  return { resource: resources.configMaps, namespace: operatorNamespace(known), name: names.endpointConfigMap };
}

/** The Namespace object of Calico's agents: of the namespace where they were found, else calico-system. */
export function calicoNamespaceRef(known: Known): ObjectRef {
  return { resource: resources.namespaces, name: calicoNamespace(known) };
}
