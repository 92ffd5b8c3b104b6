/**
 * The API resources we read and write: how each is addressed on the wire.
 * `kind` with its group identifies it everywhere else (coverage, evidence, dumps).
 */
export type Resource = {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly plural: string;
  readonly namespaced: boolean;
};

function resource(
  group: string,
  version: string,
  kind: string,
  plural: string,
  scope: 'namespaced' | 'cluster',
): Resource {
  return { group, version, kind, plural, namespaced: scope === 'namespaced' };
}

export const resources = {
  namespaces: resource('', 'v1', 'Namespace', 'namespaces', 'cluster'),
  nodes: resource('', 'v1', 'Node', 'nodes', 'cluster'),
  pods: resource('', 'v1', 'Pod', 'pods', 'namespaced'),
  services: resource('', 'v1', 'Service', 'services', 'namespaced'),
  configMaps: resource('', 'v1', 'ConfigMap', 'configmaps', 'namespaced'),
  secrets: resource('', 'v1', 'Secret', 'secrets', 'namespaced'),
  serviceAccounts: resource('', 'v1', 'ServiceAccount', 'serviceaccounts', 'namespaced'),
  events: resource('', 'v1', 'Event', 'events', 'namespaced'),
  endpoints: resource('', 'v1', 'Endpoints', 'endpoints', 'namespaced'),
  endpointSlices: resource('discovery.k8s.io', 'v1', 'EndpointSlice', 'endpointslices', 'namespaced'),
  daemonSets: resource('apps', 'v1', 'DaemonSet', 'daemonsets', 'namespaced'),
  deployments: resource('apps', 'v1', 'Deployment', 'deployments', 'namespaced'),
  statefulSets: resource('apps', 'v1', 'StatefulSet', 'statefulsets', 'namespaced'),
  jobs: resource('batch', 'v1', 'Job', 'jobs', 'namespaced'),
  cronJobs: resource('batch', 'v1', 'CronJob', 'cronjobs', 'namespaced'),
  leases: resource('coordination.k8s.io', 'v1', 'Lease', 'leases', 'namespaced'),
  serviceCidrs: resource('networking.k8s.io', 'v1', 'ServiceCIDR', 'servicecidrs', 'cluster'),
  networkPolicies: resource('networking.k8s.io', 'v1', 'NetworkPolicy', 'networkpolicies', 'namespaced'),
  podDisruptionBudgets: resource('policy', 'v1', 'PodDisruptionBudget', 'poddisruptionbudgets', 'namespaced'),
  customResourceDefinitions: resource(
    'apiextensions.k8s.io',
    'v1',
    'CustomResourceDefinition',
    'customresourcedefinitions',
    'cluster',
  ),
  validatingWebhooks: resource(
    'admissionregistration.k8s.io',
    'v1',
    'ValidatingWebhookConfiguration',
    'validatingwebhookconfigurations',
    'cluster',
  ),
  mutatingWebhooks: resource(
    'admissionregistration.k8s.io',
    'v1',
    'MutatingWebhookConfiguration',
    'mutatingwebhookconfigurations',
    'cluster',
  ),
  apiServices: resource('apiregistration.k8s.io', 'v1', 'APIService', 'apiservices', 'cluster'),
  clusterRoles: resource('rbac.authorization.k8s.io', 'v1', 'ClusterRole', 'clusterroles', 'cluster'),
  clusterRoleBindings: resource(
    'rbac.authorization.k8s.io',
    'v1',
    'ClusterRoleBinding',
    'clusterrolebindings',
    'cluster',
  ),
  roles: resource('rbac.authorization.k8s.io', 'v1', 'Role', 'roles', 'namespaced'),
  roleBindings: resource('rbac.authorization.k8s.io', 'v1', 'RoleBinding', 'rolebindings', 'namespaced'),

  installations: resource('operator.tigera.io', 'v1', 'Installation', 'installations', 'cluster'),
  tigeraStatuses: resource('operator.tigera.io', 'v1', 'TigeraStatus', 'tigerastatuses', 'cluster'),
  apiServers: resource('operator.tigera.io', 'v1', 'APIServer', 'apiservers', 'cluster'),
  goldmanes: resource('operator.tigera.io', 'v1', 'Goldmane', 'goldmanes', 'cluster'),
  whiskers: resource('operator.tigera.io', 'v1', 'Whisker', 'whiskers', 'cluster'),
  applicationLayers: resource('operator.tigera.io', 'v1', 'ApplicationLayer', 'applicationlayers', 'cluster'),
  imageSets: resource('operator.tigera.io', 'v1', 'ImageSet', 'imagesets', 'cluster'),

  felixConfigurations: resource('crd.projectcalico.org', 'v1', 'FelixConfiguration', 'felixconfigurations', 'cluster'),
  felixConfigurationsV3: resource('projectcalico.org', 'v3', 'FelixConfiguration', 'felixconfigurations', 'cluster'),
  hostEndpoints: resource('crd.projectcalico.org', 'v1', 'HostEndpoint', 'hostendpoints', 'cluster'),
  hostEndpointsV3: resource('projectcalico.org', 'v3', 'HostEndpoint', 'hostendpoints', 'cluster'),
  kubeControllersConfigurations: resource(
    'crd.projectcalico.org',
    'v1',
    'KubeControllersConfiguration',
    'kubecontrollersconfigurations',
    'cluster',
  ),
  kubeControllersConfigurationsV3: resource(
    'projectcalico.org',
    'v3',
    'KubeControllersConfiguration',
    'kubecontrollersconfigurations',
    'cluster',
  ),
  ipPools: resource('crd.projectcalico.org', 'v1', 'IPPool', 'ippools', 'cluster'),
  globalNetworkPolicies: resource(
    'crd.projectcalico.org',
    'v1',
    'GlobalNetworkPolicy',
    'globalnetworkpolicies',
    'cluster',
  ),
  calicoNetworkPolicies: resource('crd.projectcalico.org', 'v1', 'NetworkPolicy', 'networkpolicies', 'namespaced'),
  stagedNetworkPolicies: resource(
    'crd.projectcalico.org',
    'v1',
    'StagedNetworkPolicy',
    'stagednetworkpolicies',
    'namespaced',
  ),
  clusterInformations: resource('crd.projectcalico.org', 'v1', 'ClusterInformation', 'clusterinformations', 'cluster'),
  ipPoolsV3: resource('projectcalico.org', 'v3', 'IPPool', 'ippools', 'cluster'),
  globalNetworkPoliciesV3: resource(
    'projectcalico.org',
    'v3',
    'GlobalNetworkPolicy',
    'globalnetworkpolicies',
    'cluster',
  ),
  calicoNetworkPoliciesV3: resource('projectcalico.org', 'v3', 'NetworkPolicy', 'networkpolicies', 'namespaced'),
  stagedNetworkPoliciesV3: resource(
    'projectcalico.org',
    'v3',
    'StagedNetworkPolicy',
    'stagednetworkpolicies',
    'namespaced',
  ),
  tiersV3: resource('projectcalico.org', 'v3', 'Tier', 'tiers', 'cluster'),
  clusterInformationsV3: resource('projectcalico.org', 'v3', 'ClusterInformation', 'clusterinformations', 'cluster'),

  adminNetworkPolicies: resource(
    'policy.networking.k8s.io',
    'v1alpha1',
    'AdminNetworkPolicy',
    'adminnetworkpolicies',
    'cluster',
  ),
  baselineAdminNetworkPolicies: resource(
    'policy.networking.k8s.io',
    'v1alpha1',
    'BaselineAdminNetworkPolicy',
    'baselineadminnetworkpolicies',
    'cluster',
  ),

  ciliumNodeConfigs: resource('cilium.io', 'v2', 'CiliumNodeConfig', 'ciliumnodeconfigs', 'namespaced'),
  ciliumNodeConfigsAlpha: resource('cilium.io', 'v2alpha1', 'CiliumNodeConfig', 'ciliumnodeconfigs', 'namespaced'),

  openshiftNetworkConfigs: resource('operator.openshift.io', 'v1', 'Network', 'networks', 'cluster'),
  openshiftClusterNetworks: resource('config.openshift.io', 'v1', 'Network', 'networks', 'cluster'),
  openshiftInfrastructures: resource('config.openshift.io', 'v1', 'Infrastructure', 'infrastructures', 'cluster'),

  argoApplications: resource('argoproj.io', 'v1alpha1', 'Application', 'applications', 'namespaced'),
  fluxKustomizations: resource('kustomize.toolkit.fluxcd.io', 'v1', 'Kustomization', 'kustomizations', 'namespaced'),
  fluxHelmReleases: resource('helm.toolkit.fluxcd.io', 'v2', 'HelmRelease', 'helmreleases', 'namespaced'),
  fleetBundles: resource('fleet.cattle.io', 'v1alpha1', 'Bundle', 'bundles', 'namespaced'),
} as const satisfies Record<string, Resource>;

/** `apps/v1`, or `v1` for the core group. */
export function apiVersionOf(resource: Resource): string {
  return resource.group === '' ? resource.version : `${resource.group}/${resource.version}`;
}

/** The resource of a kind; null for kinds that the product neither reads nor writes. */
export function resourceOf(apiVersion: string, kind: string): Resource | null {
  const known: readonly Resource[] = Object.values(resources);
  return known.find((one) => one.kind === kind && apiVersionOf(one) === apiVersion) ?? null;
}
