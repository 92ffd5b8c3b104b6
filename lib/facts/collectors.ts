import { access } from './access.ts';
import { apiServers } from './api-servers.ts';
import { apis } from './apis.ts';
import { cluster } from './cluster.ts';
import type { Collector } from './collector.ts';
import { counts } from './counts.ts';
import { dataplane } from './dataplane.ts';
import { endpointConfigMaps } from './endpoint-config-maps.ts';
import { endpointInUse } from './endpoint-in-use.ts';
import { endpointSuggestion } from './endpoint-suggestion.ts';
import { adminNetworkPolicies } from './features/admin-network-policies.ts';
import { applicationLayerFeatures } from './features/application-layer.ts';
import { floatingIps } from './features/floating-ips.ts';
import { hostPorts } from './features/host-ports.ts';
import { loadBalancers } from './features/load-balancers.ts';
import { logActions } from './features/log-actions.ts';
import { meshes } from './features/meshes.ts';
import { nodeLocalDns } from './features/node-local-dns.ts';
import { sctp } from './features/sctp.ts';
import { helm } from './helm.ts';
import { installation } from './installation.ts';
import { kubeVip } from './kube-vip.ts';
import { nodes } from './nodes.ts';
import { objects } from './objects.ts';
import { otherNetworks } from './other-networks.ts';
import { ownership } from './ownership.ts';
import { platform } from './platform.ts';
import { podCidrs } from './pod-cidrs.ts';
import { pools } from './pools.ts';
import { provider } from './provider.ts';
import { proxy } from './proxy.ts';
import { residualFields } from './residual-fields.ts';
import { serviceCidrs } from './service-cidrs.ts';
import { tigeraStatus } from './tigera-status.ts';
import { unfinished } from './unfinished.ts';
import { calicoctls } from './upgrade/calicoctls.ts';
import { definitions } from './upgrade/definitions.ts';
import { hostEndpoints } from './upgrade/host-endpoints.ts';
import { imageSets } from './upgrade/image-sets.ts';
import { manifestConfig } from './upgrade/manifest-config.ts';
import { ownerReferences } from './upgrade/owner-references.ts';
import { upgradePolicies } from './upgrade/policies.ts';
import { sidecars } from './upgrade/sidecars.ts';
import { webhooks } from './webhooks.ts';

/**
 * All facts. A new one is a file and a line. Everything is read in parallel; then they tell in this order, so a collector may use
 * what those above it told.
 */
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
  manifestConfig,
];
