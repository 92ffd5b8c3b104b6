import type { Check } from './check.ts';
import { apiAggregatedAvailable } from './cluster/api-aggregated-available.ts';
import { enableOperatorNeeded } from './cluster/enable-operator-needed.ts';
import { managedByHelm } from './cluster/managed-by-helm.ts';
import { managedByReconciler } from './cluster/managed-by-reconciler.ts';
import { operatorDnsDeadlock } from './cluster/operator-dns-deadlock.ts';
import { permissionsPlan } from './cluster/permissions-plan.ts';
import { platformEksAutoMode } from './cluster/platform-eks-auto-mode.ts';
import { platformKubernetesVersion } from './cluster/platform-kubernetes-version.ts';
import { platformProxyCannotBeDisabled } from './cluster/platform-proxy-cannot-be-disabled.ts';
import { platformSupported } from './cluster/platform-supported.ts';
import { webhooksCanDeadlock } from './cluster/webhooks-can-deadlock.ts';
import { endpointBootstrapExclusive } from './endpoint/endpoint-bootstrap-exclusive.ts';
import { endpointCertificate } from './endpoint/endpoint-certificate.ts';
import { endpointForm } from './endpoint/endpoint-form.ts';
import { endpointInUse } from './endpoint/endpoint-in-use.ts';
import { endpointKubeVip } from './endpoint/endpoint-kube-vip.ts';
import { endpointNamespace } from './endpoint/endpoint-namespace.ts';
import { endpointNotClusterIp } from './endpoint/endpoint-not-cluster-ip.ts';
import { endpointNotLocal } from './endpoint/endpoint-not-local.ts';
import { endpointPresent } from './endpoint/endpoint-present.ts';
import { endpointReachable } from './endpoint/endpoint-reachable.ts';
import { endpointResolvable } from './endpoint/endpoint-resolvable.ts';
import { endpointStable } from './endpoint/endpoint-stable.ts';
import { featureAdminNetworkPolicy } from './feature/feature-admin-network-policy.ts';
import { featureApplicationLayerPolicy } from './feature/feature-application-layer-policy.ts';
import { featureCloudLbHealth } from './feature/feature-cloud-lb-health.ts';
import { featureEndpointToHost } from './feature/feature-endpoint-to-host.ts';
import { featureFloatingIps } from './feature/feature-floating-ips.ts';
import { featureHostPorts } from './feature/feature-host-ports.ts';
import { featureL7Logs } from './feature/feature-l7-logs.ts';
import { featureLogAction } from './feature/feature-log-action.ts';
import { featureNodeLocalDns } from './feature/feature-node-local-dns.ts';
import { featureSctp } from './feature/feature-sctp.ts';
import { featureServiceMesh } from './feature/feature-service-mesh.ts';
import { featureSourceRanges } from './feature/feature-source-ranges.ts';
import { featureTrafficLimits } from './feature/feature-traffic-limits.ts';
import { featureVlanDevices } from './feature/feature-vlan-devices.ts';
import { featureWaf } from './feature/feature-waf.ts';
import { installEnterprise } from './install/install-enterprise.ts';
import { installFelixAnnotation } from './install/install-felix-annotation.ts';
import { installHalfFinished } from './install/install-half-finished.ts';
import { installImageset } from './install/install-imageset.ts';
import { installMethodKnown } from './install/install-method-known.ts';
import { installNonPrivileged } from './install/install-non-privileged.ts';
import { installNothingThere } from './install/install-nothing-there.ts';
import { installStatusHealthy } from './install/install-status-healthy.ts';
import { imagePullable } from './measured/image-pullable.ts';
import { networkDsrFabric } from './network/network-dsr-fabric.ts';
import { networkMtu } from './network/network-mtu.ts';
import { networkOffload } from './network/network-offload.ts';
import { networkOtherProduct } from './network/network-other-product.ts';
import { networkOverlayChoice } from './network/network-overlay-choice.ts';
import { networkServicesAnswer } from './network/network-services-answer.ts';
import { networkVxlanBetweenNodes } from './network/network-vxlan-between-nodes.ts';
import { networkVxlanPort } from './network/network-vxlan-port.ts';
import { nodeArchitecture } from './node/node-architecture.ts';
import { nodeBpfLoads } from './node/node-bpf-loads.ts';
import { nodeCgroupPath } from './node/node-cgroup-path.ts';
import { nodeDistribution } from './node/node-distribution.ts';
import { nodeFlexvolumePath } from './node/node-flexvolume-path.ts';
import { nodeInterfaces } from './node/node-interfaces.ts';
import { nodeKernel } from './node/node-kernel.ts';
import { nodeKernelKnownBad } from './node/node-kernel-known-bad.ts';
import { nodeLinuxOnly } from './node/node-linux-only.ts';
import { nodeMixedDataplane } from './node/node-mixed-dataplane.ts';
import { nodeMounts } from './node/node-mounts.ts';
import { nodeReady } from './node/node-ready.ts';
import { nodeBelowAdvice } from './node/system/node-below-advice.ts';
import { nodeKernelFlavour } from './node/system/node-kernel-flavour.ts';
import { proxyCanComeBack } from './proxy/proxy-can-come-back.ts';
import { proxyComesBack } from './proxy/proxy-comes-back.ts';
import { proxyDetected } from './proxy/proxy-detected.ts';
import { proxyGoneWithoutBpf } from './proxy/proxy-gone-without-bpf.ts';
import { proxyHealthPort } from './proxy/proxy-health-port.ts';
import { proxyNoDoubleManagement } from './proxy/proxy-no-double-management.ts';
import { proxyNotIpvs } from './proxy/proxy-not-ipvs.ts';
import { upgradeAllowAllUpgrade } from './upgrade/upgrade-allow-all-upgrade.ts';
import { upgradeCliVersion } from './upgrade/upgrade-cli-version.ts';
import { upgradeCrdBehind } from './upgrade/upgrade-crd-behind.ts';
import { upgradeCrdClientSideApplied } from './upgrade/upgrade-crd-client-side-applied.ts';
import { upgradeFieldConflicts } from './upgrade/upgrade-field-conflicts.ts';
import { upgradeHelmPending } from './upgrade/upgrade-helm-pending.ts';
import { upgradeHostEndpoints } from './upgrade/upgrade-host-endpoints.ts';
import { upgradeManualChanges } from './upgrade/upgrade-manual-changes.ts';
import { upgradeOwnerReferences } from './upgrade/upgrade-owner-references.ts';
import { upgradePath } from './upgrade/upgrade-path.ts';
import { upgradePolicyNames } from './upgrade/upgrade-policy-names.ts';
import { upgradeRecommendMove } from './upgrade/upgrade-recommend-move.ts';
import { upgradeRegistryMoved } from './upgrade/upgrade-registry-moved.ts';
import { upgradeRollout } from './upgrade/upgrade-rollout.ts';
import { upgradeSidecars } from './upgrade/upgrade-sidecars.ts';

/** Every check, in the order of checks.md, in which findings are shown. */
export const checks: readonly Check[] = [
  platformSupported,
  platformProxyCannotBeDisabled,
  platformKubernetesVersion,
  platformEksAutoMode,
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
  nodeKernelFlavour,
  nodeBelowAdvice,
  nodeDistribution,
  nodeLinuxOnly,
  nodeMixedDataplane,
  nodeCgroupPath,
  nodeFlexvolumePath,
  nodeReady,
  nodeKernelKnownBad,
  imagePullable,
  nodeBpfLoads,
  nodeMounts,
  nodeInterfaces,
  networkVxlanBetweenNodes,
  networkOverlayChoice,
  networkMtu,
  networkDsrFabric,
  networkOffload,
  networkServicesAnswer,
  networkVxlanPort,
  networkOtherProduct,
  featureFloatingIps,
  featureSctp,
  featureLogAction,
  featureVlanDevices,
  featureL7Logs,
  featureApplicationLayerPolicy,
  featureWaf,
  featureHostPorts,
  featureTrafficLimits,
  featureEndpointToHost,
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
  installNonPrivileged,
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
  upgradeRollout,
  upgradePolicyNames,
  upgradeHostEndpoints,
  upgradeAllowAllUpgrade,
  upgradeSidecars,
  upgradeHelmPending,
  upgradeRecommendMove,
];
