import { names, type ObjectRef, type Resource, resources } from '#lib/spec/index.ts';
import type { PlanContext } from '../operation.ts';

/** Where on this cluster the objects are that the plan is about. */

type Known = Pick<PlanContext, 'facts'>;

export const installation: ObjectRef = { resource: resources.installations, name: names.installation };

export const kubeProxy: ObjectRef = {
  resource: resources.daemonSets,
  namespace: names.systemNamespace,
  name: names.kubeProxyDaemonSet,
};

/** The network that EKS brings. */
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

/** Services in whose place a NodeLocal DNSCache answers, as far as nothing but their own annotation may keep eBPF from translating them. */
export function servicesOfDnsCaches({ facts }: Known): ObjectRef[] {
  const services = facts.features.nodeLocalDnsCaches.flatMap((cache) => cache.services);
  const marked = services.filter(({ bound, asked, isInCidrs }) => bound && !asked && !isInCidrs);
  return [...new Set(marked.map(({ object }) => object))].map((object) => {
    const [namespace = '', , name = ''] = object.split('/');
    return { resource: resources.services, namespace, name };
  });
}

export const openshiftNetwork: ObjectRef = { resource: resources.openshiftNetworkConfigs, name: 'cluster' };

/** What OpenShift's network operator runs while `deployKubeProxy` is true. */
export const openshiftProxy: ObjectRef = {
  resource: resources.daemonSets,
  namespace: names.openshiftProxy,
  name: names.openshiftProxy,
};

/** The group through which FelixConfiguration is written: v3 when its API is Available, else the stored kind (architecture.md › The port). */
export function felixResource({ facts }: Known): Resource {
  return facts.resources.apis.v3Available === true ? resources.felixConfigurationsV3 : resources.felixConfigurations;
}

export function felix(known: Known): ObjectRef {
  return { resource: felixResource(known), name: names.felixConfiguration };
}

export function calicoNamespace({ facts }: Known): string {
  return facts.installation.namespace ?? names.calicoNamespace;
}

/** Where the operator runs, which is where it reads the endpoint from (calico.md §3.2). */
export function operatorNamespace({ facts }: Known): string {
  return facts.installation.endpointNamespace;
}

export function agents(known: Known): ObjectRef {
  return { resource: resources.daemonSets, namespace: calicoNamespace(known), name: names.nodeDaemonSet };
}

export function operatorDeployment(known: Known): ObjectRef {
  return { resource: resources.deployments, namespace: operatorNamespace(known), name: names.operatorDeployment };
}

export function endpointConfigMap(known: Known): ObjectRef {
  return { resource: resources.configMaps, namespace: operatorNamespace(known), name: names.endpointConfigMap };
}

export function calicoNamespaceRef(known: Known): ObjectRef {
  return { resource: resources.namespaces, name: calicoNamespace(known) };
}
