import { names, type ObjectRef, resources } from '#lib/spec/index.ts';

const inCalico = (
  resource: (typeof resources)['daemonSets' | 'deployments' | 'configMaps' | 'services'],
  name: string,
): ObjectRef => ({
  resource,
  namespace: names.calicoNamespace,
  name,
});

/** Objects that more than one reconciler reads. */
export const refs = {
  installation: { resource: resources.installations, name: names.installation },
  felix: { resource: resources.felixConfigurations, name: names.felixConfiguration },
  calicoNode: inCalico(resources.daemonSets, names.nodeDaemonSet),
  typha: inCalico(resources.deployments, names.typhaDeployment),
  typhaService: inCalico(resources.services, names.typhaDeployment),
  kubeControllers: inCalico(resources.deployments, names.kubeControllersDeployment),
  apiServerDeployment: inCalico(resources.deployments, names.apiServerDeployment),
  goldmane: { resource: resources.goldmanes, name: 'default' },
  goldmaneDeployment: inCalico(resources.deployments, 'goldmane'),
  goldmaneService: inCalico(resources.services, 'goldmane'),
  whisker: { resource: resources.whiskers, name: 'default' },
  whiskerDeployment: inCalico(resources.deployments, 'whisker'),
  cniConfig: inCalico(resources.configMaps, 'cni-config'),
  activeOperator: inCalico(resources.configMaps, names.activeOperatorConfigMap),
  apiServer: { resource: resources.apiServers, name: 'default' },
  kubeProxy: { resource: resources.daemonSets, namespace: names.systemNamespace, name: names.kubeProxyDaemonSet },
  kubernetesService: { resource: resources.services, namespace: 'default', name: 'kubernetes' },
  awsNode: { resource: resources.daemonSets, namespace: names.systemNamespace, name: 'aws-node' },
  kubeadmConfig: { resource: resources.configMaps, namespace: names.systemNamespace, name: 'kubeadm-config' },
  openshiftNetwork: {
    resource: { group: 'config.openshift.io', version: 'v1', kind: 'Network', plural: 'networks', namespaced: false },
    name: 'cluster',
  },
  calicoNamespace: { resource: resources.namespaces, name: names.calicoNamespace },
} as const satisfies Record<string, ObjectRef>;

export function endpointConfigMapRef(namespace: string): ObjectRef {
  return { resource: resources.configMaps, namespace, name: names.endpointConfigMap };
}

export function operatorDeploymentRef(namespace: string): ObjectRef {
  return { resource: resources.deployments, namespace, name: names.operatorDeployment };
}

export function tigeraStatusRef(name: string): ObjectRef {
  return { resource: resources.tigeraStatuses, name };
}
