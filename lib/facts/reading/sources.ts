import { type KubeObject, nodeOf, type ObjectMetadata, type ReadNode } from '#lib/kube/index.ts';
import { names, type ObjectRef, resources } from '#lib/spec/index.ts';
import { objectQuery, oneOfTwins } from './query.ts';
import type { Listing } from './session.ts';

/** Queries that several collectors share. */

export const nodeListing: Listing = { resources: [resources.nodes], detail: 'full', emptyDumpSaysNothing: true };
/** The node that was parsed last: several collectors look at each node, one after the other. Only one is kept, as there may be thousands. */
let atHand: { readonly object: object; readonly node: ReadNode } | null = null;
/** A node of a list, parsed once for all collectors that look at it. */
export function listedNode(object: KubeObject | ObjectMetadata): ReadNode {
  if (atHand?.object !== object) atHand = { object, node: nodeOf(object) };
  return atHand.node;
}
/** Metadata of all pods. Specs of thousands of pods would cost much time and memory, so they are read only for few. */
export const podListing: Listing = { resources: [resources.pods], detail: 'metadata' };
export const serviceListing: Listing = { resources: [resources.services], detail: 'full' };
export const daemonSetListing: Listing = { resources: [resources.daemonSets], detail: 'full' };
export const deploymentListing: Listing = {
  resources: [resources.deployments],
  detail: 'full',
  labelSelector: `k8s-app in (${[names.operatorDeployment, names.typhaDeployment, names.kubeControllersDeployment, names.apiServerDeployment].join(', ')})`,
};
/** All Deployments, for their templates. Calico's own are read in another list. */
export const allDeploymentListing: Listing = { resources: [resources.deployments], detail: 'full' };
export const statefulSetListing: Listing = { resources: [resources.statefulSets], detail: 'full' };
export const applicationLayerListing: Listing = { resources: [resources.applicationLayers], detail: 'full' };
export const adminNetworkPolicyListing: Listing = { resources: [resources.adminNetworkPolicies], detail: 'metadata' };
export const baselineAdminNetworkPolicyListing: Listing = {
  resources: [resources.baselineAdminNetworkPolicies],
  detail: 'metadata',
};
export const endpointConfigMapListing: Listing = {
  resources: [resources.configMaps],
  detail: 'full',
  fieldSelector: `metadata.name=${names.endpointConfigMap}`,
};
export const endpointSliceListing: Listing = {
  resources: [resources.endpointSlices],
  detail: 'full',
  namespace: 'default',
  labelSelector: 'kubernetes.io/service-name=kubernetes',
};
/** Static pods of API server and controller manager, by the label of kubeadm and RKE2 and by that of kOps and Talos. */
export const controlPlanePodListings: readonly [Listing, Listing] = [
  controlPlanePods('component'),
  controlPlanePods('k8s-app'),
];

/** Static pods of kube-proxy, by the labels of RKE2 and kOps, which pods of kubeadm's DaemonSet do not have. */
export const proxyPodListings: readonly [Listing, Listing] = [
  { resources: [resources.pods], detail: 'full', namespace: 'kube-system', labelSelector: 'component=kube-proxy' },
  {
    resources: [resources.pods],
    detail: 'full',
    namespace: 'kube-system',
    labelSelector: 'k8s-app=kube-proxy,tier=node',
  },
];

function controlPlanePods(label: string): Listing {
  const labelSelector = `${label} in (kube-apiserver, kube-controller-manager)`;
  return { resources: [resources.pods], detail: 'full', namespace: 'kube-system', labelSelector };
}

export const serviceCidrListing: Listing = { resources: [resources.serviceCidrs], detail: 'full' };
export const networkPolicyListing: Listing = { resources: [resources.networkPolicies], detail: 'full' };
export const globalNetworkPolicyListing: Listing = {
  resources: [resources.globalNetworkPolicies, resources.globalNetworkPoliciesV3],
  detail: 'full',
  bothForms: true,
};
export const calicoNetworkPolicyListing: Listing = {
  resources: [resources.calicoNetworkPolicies, resources.calicoNetworkPoliciesV3],
  detail: 'full',
  bothForms: true,
};
/** FelixConfigurations, the stored form first: it needs no aggregated API and has the operator's annotations. */
export const felixListing: Listing = {
  resources: [resources.felixConfigurations, resources.felixConfigurationsV3],
  detail: 'full',
  bothForms: true,
};
export const poolListing: Listing = {
  resources: [resources.ipPools, resources.ipPoolsV3],
  detail: 'full',
  bothForms: true,
};
export const imageSetListing: Listing = { resources: [resources.imageSets], detail: 'full' };
export const definitionListing: Listing = { resources: [resources.customResourceDefinitions], detail: 'full' };
export const hostEndpointListing: Listing = {
  resources: [resources.hostEndpoints, resources.hostEndpointsV3],
  detail: 'full',
  bothForms: true,
};
export const tigeraStatusListing: Listing = { resources: [resources.tigeraStatuses], detail: 'full' };

const inSystem = { namespace: names.systemNamespace };
const inOperator = { namespace: names.operatorNamespace };
const inCalico = { namespace: names.calicoNamespace };

/** Objects that operations change or guard; `resources.objects` has them whole. */
export const trackedRefs = {
  systemNamespace: { resource: resources.namespaces, name: names.systemNamespace },
  operatorNamespace: { resource: resources.namespaces, name: names.operatorNamespace },
  journalNamespace: { resource: resources.namespaces, name: names.journalNamespace },
  installation: { resource: resources.installations, name: names.installation },
  apiServer: { resource: resources.apiServers, name: 'default' },
  goldmane: { resource: resources.goldmanes, name: 'default' },
  whisker: { resource: resources.whiskers, name: 'default' },
  operatorEndpoint: { resource: resources.configMaps, ...inOperator, name: names.endpointConfigMap },
  systemEndpoint: { resource: resources.configMaps, ...inSystem, name: names.endpointConfigMap },
  operator: { resource: resources.deployments, ...inOperator, name: names.operatorDeployment },
  operatorAgents: { resource: resources.daemonSets, ...inCalico, name: names.nodeDaemonSet },
  typha: { resource: resources.deployments, ...inCalico, name: names.typhaDeployment },
  kubeControllers: { resource: resources.deployments, ...inCalico, name: names.kubeControllersDeployment },
  calicoApiServer: { resource: resources.deployments, ...inCalico, name: names.apiServerDeployment },
  /** Calico's API server up to v3.30 (calico.md §9 › v3 API). */
  formerApiServer: {
    resource: resources.deployments,
    namespace: names.earlierApiServerNamespace,
    name: names.apiServerDeployment,
  },
  manifestAgents: { resource: resources.daemonSets, ...inSystem, name: names.nodeDaemonSet },
  manifestTypha: { resource: resources.deployments, ...inSystem, name: names.typhaDeployment },
  manifestKubeControllers: { resource: resources.deployments, ...inSystem, name: names.kubeControllersDeployment },
  canal: { resource: resources.daemonSets, ...inSystem, name: 'canal' },
  canalEtcd: { resource: resources.daemonSets, ...inSystem, name: 'canal-node' },
  /** The settings that people edit in an installation by manifest. */
  calicoConfig: { resource: resources.configMaps, ...inSystem, name: 'calico-config' },
  canalConfig: { resource: resources.configMaps, ...inSystem, name: 'canal-config' },
  kubeProxy: { resource: resources.daemonSets, ...inSystem, name: names.kubeProxyDaemonSet },
  kubeProxyConfig: { resource: resources.configMaps, ...inSystem, name: 'kube-proxy' },
  kubeProxyAccount: { resource: resources.serviceAccounts, ...inSystem, name: 'kube-proxy' },
  kubeadmConfig: { resource: resources.configMaps, ...inSystem, name: 'kubeadm-config' },
  openshiftNetwork: { resource: resources.openshiftNetworkConfigs, name: 'cluster' },
} as const satisfies Record<string, ObjectRef>;

export type TrackedName = keyof typeof trackedRefs;

// `fromEntries` loses the keys' types.
export const tracked = Object.fromEntries(
  Object.entries(trackedRefs).map(([name, ref]) => [name, objectQuery(ref)]),
) as Record<TrackedName, ReturnType<typeof objectQuery>>;

export const felixDefault = oneOfTwins(
  { resource: resources.felixConfigurations, name: names.felixConfiguration },
  { resource: resources.felixConfigurationsV3, name: names.felixConfiguration },
);
export const clusterInformation = oneOfTwins(
  { resource: resources.clusterInformations, name: 'default' },
  { resource: resources.clusterInformationsV3, name: 'default' },
);
/** ClusterInformation from Calico's own API: with etcd the stored form is a leftover. */
export const clusterInformationV3 = objectQuery({ resource: resources.clusterInformationsV3, name: 'default' });

export const kubeControllersConfiguration = oneOfTwins(
  { resource: resources.kubeControllersConfigurations, name: 'default' },
  { resource: resources.kubeControllersConfigurationsV3, name: 'default' },
);

const configMap = (namespace: string, name: string) => objectQuery({ resource: resources.configMaps, namespace, name });

export const clusterInfo = configMap('kube-public', 'cluster-info');
/** ConfigMaps with the Corefile of NodeLocal DNSCache: of Kubernetes and RKE2, and of kubespray. */
export const corefiles = {
  nodeLocalDns: configMap('kube-system', 'node-local-dns'),
  kubespray: configMap('kube-system', 'nodelocaldns'),
};
export const kopsController = configMap('kube-system', 'kops-controller');
export const { calicoConfig, canalConfig } = tracked;
export const activeOperator = configMap('calico-system', 'active-operator');
export const kubernetesService = objectQuery({
  resource: resources.services,
  namespace: 'default',
  name: 'kubernetes',
});
export const kubernetesEndpoints = objectQuery({
  resource: resources.endpoints,
  namespace: 'default',
  name: 'kubernetes',
});
export const openshiftClusterNetwork = objectQuery({ resource: resources.openshiftClusterNetworks, name: 'cluster' });
export const openshiftInfrastructure = objectQuery({ resource: resources.openshiftInfrastructures, name: 'cluster' });
export const calicoApiService = objectQuery({ resource: resources.apiServices, name: 'v3.projectcalico.org' });
