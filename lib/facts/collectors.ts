import { dataplane } from './calico/dataplane.ts';
import { helm } from './calico/helm.ts';
import { installation } from './calico/installation.ts';
import { pools } from './calico/pools.ts';
import { residualFields } from './calico/residual-fields.ts';
import { tigeraStatus } from './calico/tigera-status.ts';
import { unfinished } from './calico/unfinished.ts';
import { access } from './cluster/access.ts';
import { apis } from './cluster/apis.ts';
import { cluster } from './cluster/cluster.ts';
import { counts } from './cluster/counts.ts';
import { nodes } from './cluster/nodes.ts';
import { otherNetworks } from './cluster/other-networks.ts';
import { ownership } from './cluster/ownership.ts';
import { platform } from './cluster/platform.ts';
import { podCidrs } from './cluster/pod-cidrs.ts';
import { provider } from './cluster/provider.ts';
import { serviceCidrs } from './cluster/service-cidrs.ts';
import { webhooks } from './cluster/webhooks.ts';
import type { Collector } from './collector.ts';
import { apiServers } from './endpoint/api-servers.ts';
import { clusterServices } from './endpoint/cluster-services.ts';
import { endpointConfigMaps } from './endpoint/endpoint-config-maps.ts';
import { endpointInUse } from './endpoint/endpoint-in-use.ts';
import { endpointSuggestion } from './endpoint/endpoint-suggestion.ts';
import { kubeVip } from './endpoint/kube-vip.ts';
import { adminNetworkPolicies } from './features/admin-network-policies.ts';
import { applicationLayerFeatures } from './features/application-layer.ts';
import { floatingIps } from './features/floating-ips.ts';
import { hostPorts } from './features/host-ports.ts';
import { loadBalancers } from './features/load-balancers.ts';
import { logActions } from './features/log-actions.ts';
import { meshes } from './features/meshes.ts';
import { nodeLocalDns } from './features/node-local-dns.ts';
import { sctp } from './features/sctp.ts';
import { trafficLimits } from './features/traffic-limits.ts';
import { objects } from './objects.ts';
import { proxy } from './proxy/proxy.ts';
import { calicoctls } from './upgrade/calicoctls.ts';
import { definitions } from './upgrade/definitions.ts';
import { hostEndpoints } from './upgrade/host-endpoints.ts';
import { imageSets } from './upgrade/image-sets.ts';
import { manifestConfig } from './upgrade/manifest-config.ts';
import { ownerReferences } from './upgrade/owner-references.ts';
import { upgradePolicies } from './upgrade/policies.ts';
import { rollouts } from './upgrade/rollouts.ts';
import { sidecars } from './upgrade/sidecars.ts';
import { users } from './upgrade/users.ts';

/** All collectors. They read in parallel and then make their facts in this order, so each may use the facts of those above it. */
export const collectors: readonly Collector[] = [
  cluster,
  nodes,
  platform,
  provider,
  serviceCidrs,
  podCidrs,
  installation,
  otherNetworks,
  unfinished,
  dataplane,
  proxy,
  endpointConfigMaps,
  endpointInUse,
  apiServers,
  clusterServices,
  endpointSuggestion,
  kubeVip,
  pools,
  tigeraStatus,
  ownership,
  residualFields,
  helm,
  access,
  apis,
  webhooks,
  floatingIps,
  sctp,
  logActions,
  hostPorts,
  trafficLimits,
  loadBalancers,
  nodeLocalDns,
  meshes,
  applicationLayerFeatures,
  adminNetworkPolicies,
  counts,
  objects,
  imageSets,
  definitions,
  ownerReferences,
  hostEndpoints,
  upgradePolicies,
  calicoctls,
  sidecars,
  rollouts,
  users,
  manifestConfig,
];
