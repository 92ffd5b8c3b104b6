import { apiAggregatedAvailable } from './api-aggregated-available.ts';
import type { Check } from './check.ts';
import { enableOperatorNeeded } from './enable-operator-needed.ts';
import { endpointBootstrapExclusive } from './endpoint-bootstrap-exclusive.ts';
import { endpointCertificate } from './endpoint-certificate.ts';
import { endpointForm } from './endpoint-form.ts';
import { endpointInUse } from './endpoint-in-use.ts';
import { endpointKubeVip } from './endpoint-kube-vip.ts';
import { endpointNamespace } from './endpoint-namespace.ts';
import { endpointNotClusterIp } from './endpoint-not-cluster-ip.ts';
import { endpointNotLocal } from './endpoint-not-local.ts';
import { endpointPresent } from './endpoint-present.ts';
import { endpointReachable } from './endpoint-reachable.ts';
import { endpointResolvable } from './endpoint-resolvable.ts';
import { endpointStable } from './endpoint-stable.ts';
import { featureAdminNetworkPolicy } from './feature-admin-network-policy.ts';
import { featureApplicationLayerPolicy } from './feature-application-layer-policy.ts';
import { featureCloudLbHealth } from './feature-cloud-lb-health.ts';
import { featureFloatingIps } from './feature-floating-ips.ts';
import { featureHostPorts } from './feature-host-ports.ts';
import { featureL7Logs } from './feature-l7-logs.ts';
import { featureLogAction } from './feature-log-action.ts';
import { featureNodeLocalDns } from './feature-node-local-dns.ts';
import { featureSctp } from './feature-sctp.ts';
import { featureServiceMesh } from './feature-service-mesh.ts';
import { featureSourceRanges } from './feature-source-ranges.ts';
import { featureVlanDevices } from './feature-vlan-devices.ts';
import { featureWaf } from './feature-waf.ts';
import { installEnterprise } from './install-enterprise.ts';
import { installFelixAnnotation } from './install-felix-annotation.ts';
import { installHalfFinished } from './install-half-finished.ts';
import { installImageset } from './install-imageset.ts';
import { installMethodKnown } from './install-method-known.ts';
import { installNothingThere } from './install-nothing-there.ts';
import { installStatusHealthy } from './install-status-healthy.ts';
import { managedByHelm } from './managed-by-helm.ts';
import { managedByReconciler } from './managed-by-reconciler.ts';
import { networkDsrFabric } from './network-dsr-fabric.ts';
import { networkMtu } from './network-mtu.ts';
import { networkOffload } from './network-offload.ts';
import { networkOverlayChoice } from './network-overlay-choice.ts';
import { networkVxlanBetweenNodes } from './network-vxlan-between-nodes.ts';
import { nodeArchitecture } from './node-architecture.ts';
import { nodeBpfLoads } from './node-bpf-loads.ts';
import { nodeCgroupPath } from './node-cgroup-path.ts';
import { nodeDistribution } from './node-distribution.ts';
import { nodeFlexvolumePath } from './node-flexvolume-path.ts';
import { nodeInterfaces } from './node-interfaces.ts';
import { nodeKernel } from './node-kernel.ts';
import { nodeKernelKnownBad } from './node-kernel-known-bad.ts';
import { nodeLinuxOnly } from './node-linux-only.ts';
import { nodeMixedDataplane } from './node-mixed-dataplane.ts';
import { nodeMounts } from './node-mounts.ts';
import { nodeReady } from './node-ready.ts';
import { operatorDnsDeadlock } from './operator-dns-deadlock.ts';
import { permissionsPlan } from './permissions-plan.ts';
import { platformProxyCannotBeDisabled } from './platform-proxy-cannot-be-disabled.ts';
import { platformSupported } from './platform-supported.ts';
import { proxyCanComeBack } from './proxy-can-come-back.ts';
import { proxyComesBack } from './proxy-comes-back.ts';
import { proxyDetected } from './proxy-detected.ts';
import { proxyGoneWithoutBpf } from './proxy-gone-without-bpf.ts';
import { proxyHealthPort } from './proxy-health-port.ts';
import { proxyNoDoubleManagement } from './proxy-no-double-management.ts';
import { proxyNotIpvs } from './proxy-not-ipvs.ts';
import { upgradeAllowAllUpgrade } from './upgrade-allow-all-upgrade.ts';
import { upgradeCliVersion } from './upgrade-cli-version.ts';
import { upgradeCrdBehind } from './upgrade-crd-behind.ts';
import { upgradeCrdClientSideApplied } from './upgrade-crd-client-side-applied.ts';
import { upgradeFieldConflicts } from './upgrade-field-conflicts.ts';
import { upgradeHelmPending } from './upgrade-helm-pending.ts';
import { upgradeHostEndpoints } from './upgrade-host-endpoints.ts';
import { upgradeManualChanges } from './upgrade-manual-changes.ts';
import { upgradeOwnerReferences } from './upgrade-owner-references.ts';
import { upgradePath } from './upgrade-path.ts';
import { upgradePolicyNames } from './upgrade-policy-names.ts';
import { upgradeRecommendMove } from './upgrade-recommend-move.ts';
import { upgradeRegistryMoved } from './upgrade-registry-moved.ts';
import { upgradeSidecars } from './upgrade-sidecars.ts';
import { webhooksCanDeadlock } from './webhooks-can-deadlock.ts';

/** Every check, in the order in which findings are shown: checks.md's. */
export const checks: readonly Check[] = [
  platformSupported,
  platformProxyCannotBeDisabled,
  permissionsPlan,
  apiAggregatedAvailable,
  webhooksCanDeadlock,
  managedByReconciler,
  managedByHelm,
  endpointPresent,
  endpointNotClusterIp,
  endpointNotLocal,
  endpointStable,
  endpointForm,
  endpointResolvable,
  endpointCertificate,
  endpointReachable,
  endpointNamespace,
  endpointInUse,
  endpointBootstrapExclusive,
  operatorDnsDeadlock,
  endpointKubeVip,
  proxyDetected,
  proxyNotIpvs,
  proxyNoDoubleManagement,
  proxyHealthPort,
  proxyComesBack,
  proxyGoneWithoutBpf,
  proxyCanComeBack,
  nodeArchitecture,
  nodeKernel,
  nodeDistribution,
  nodeLinuxOnly,
  nodeMixedDataplane,
  nodeCgroupPath,
  nodeFlexvolumePath,
  nodeReady,
  nodeKernelKnownBad,
  nodeBpfLoads,
  nodeMounts,
  nodeInterfaces,
  networkVxlanBetweenNodes,
  networkOverlayChoice,
  networkMtu,
  networkDsrFabric,
  networkOffload,
  featureFloatingIps,
  featureSctp,
  featureLogAction,
  featureVlanDevices,
  featureL7Logs,
  featureApplicationLayerPolicy,
  featureWaf,
  featureHostPorts,
  featureNodeLocalDns,
  featureServiceMesh,
  featureSourceRanges,
  featureAdminNetworkPolicy,
  featureCloudLbHealth,
  installNothingThere,
  installHalfFinished,
  installMethodKnown,
  enableOperatorNeeded,
  installStatusHealthy,
  installEnterprise,
  installFelixAnnotation,
  installImageset,
  upgradePath,
  upgradeCrdBehind,
  upgradeCrdClientSideApplied,
  upgradeFieldConflicts,
  upgradeOwnerReferences,
  upgradeCliVersion,
  upgradeManualChanges,
  upgradeRegistryMoved,
  upgradePolicyNames,
  upgradeHostEndpoints,
  upgradeAllowAllUpgrade,
  upgradeSidecars,
  upgradeHelmPending,
  upgradeRecommendMove,
];
