export { isByOperator } from './by-operator.ts';
export {
  type Afterwards,
  afterwards,
  type Choices,
  choicesSchema,
  type Goal,
  goals,
  hostAnswer,
  type PlatformKind,
  type PolicyChoice,
  platformKinds,
  policySchema,
  proxyManagementSetting,
  remarkLength,
  remarksKept,
} from './choices.ts';
export { autoModeSign } from './eks-auto-mode.ts';
export { type EndpointSourceRow, endpointSources } from './endpoint-sources.ts';
export { type UnsupportedFeature, unsupportedFeatures } from './features.ts';
export { holdTimes } from './hold-times.ts';
export { automaticEndpointOf, automaticProfile, isLabelOfKubernetes } from './host-endpoints.ts';
export {
  type ImageNaming,
  imagePlace,
  type NamingFault,
  namingFaults,
  renamedImage,
  splitImage,
} from './images/image-name.ts';
export {
  type ImageList,
  type ImagePart,
  type ImageUse,
  imageLists,
  imageParts,
  imagesByPattern,
  imageUses,
} from './images/images.ts';
export { type PlannedImage, type PlannedImages, planImages, type WantedImages } from './images/plan-images.ts';
export { type DefaultRegistry, defaultRegistries, defaultRegistryOf } from './images/registries.ts';
export { ipvs } from './ipvs.ts';
export { linkOf } from './link-labels.ts';
export { namedByPods, namesIn, pullSecretsOf } from './named-by-pod.ts';
export { dialsEndpoint, type NamedEndpoint, namedEndpoint } from './named-endpoint.ts';
export {
  type AlwaysTested,
  alwaysTested,
  type ByNodeTest,
  type NodeTest,
  nodeTestIds,
  nodeTests,
  onRequest,
  type TestedOnRequest,
  testedBetweenNodes,
} from './node-tests.ts';
export { type MissingRule, missingRuleSchema } from './objects/access-rule.ts';
export { programsCommand, serviceMaps } from './objects/agent-programs.ts';
export { type Escalation, escalations, escalationsOf } from './objects/escalations.ts';
export { failsafeInbound } from './objects/failsafe-ports.ts';
export { cgroupFolderOf, felixDefaults, felixLines, isOnForFelix, kubeProxyHealthPort } from './objects/felix.ts';
export {
  type HelmDriver,
  helmRecordNames,
  helmRecordResource,
  helmSecretName,
  helmWords,
  isCalicoName,
  isChartOfVersion,
} from './objects/helm-record.ts';
export { type JournalNamespaces, journalNamespaces } from './objects/journal-namespaces.ts';
export { manifestObjects } from './objects/manifest-objects.ts';
export {
  agentDaemonSets,
  agentPodsSelector,
  calicoNamespaces,
  isNamespaceName,
  names,
  temporaryPolicies,
} from './objects/names.ts';
export { type NodeFolders, nodeFolders } from './objects/node-folders.ts';
export { type ObjectRef, objectId, parseApiVersion } from './objects/object-ref.ts';
export { openshiftRunsProxy } from './objects/openshift-proxy.ts';
export { cniPaths, flexVolumePaths } from './objects/operator-paths.ts';
export { type OperatorRewrite, operatorRewrites, rewrittenByOperator } from './objects/operator-rewrites.ts';
export { isOwnObject, type OwnObject, ownObjects } from './objects/own-objects.ts';
export { apiVersionOf, type Resource, resourceOf, resources } from './objects/resources.ts';
export { type RoleKind, type RoleKindId, roleKindOf, roleKinds } from './objects/role-kinds.ts';
export { type RoleObject, type RoleRule, roleObjects } from './objects/role-objects.ts';
export {
  editedMetadata,
  editedParts,
  serverDefaults,
  serversOwn,
  writtenByMachines,
  zeroIsUnset,
} from './objects/server-defaults.ts';
export { cleanupFlagPath, dataplanePath, proxyManagementPath, proxySelectorPath } from './objects/switch-paths.ts';
export { generationOfStatus } from './objects/tigera-status.ts';
export { v3Uid } from './objects/v3-uid.ts';
export { type AdvisedFloor, advisedFloors, belowAdvice } from './platforms/advised-floors.ts';
export { cannotLand, type LandingNode, type LandingPod, shunsLinux } from './platforms/daemon-landing.ts';
export { type DistributionFloor, distributionFloors, distributionVerdict } from './platforms/distribution-floors.ts';
export {
  type Distribution,
  type DistributionFamily,
  type DistributionRule,
  distributionFamily,
  distributionOf,
  distributionRules,
  isImmutable,
} from './platforms/distributions.ts';
export type { PlatformGuide, Provider } from './platforms/guides/platform-guide.ts';
export { platformGuides } from './platforms/guides/platform-guides.ts';
export { isOfHelmController } from './platforms/helm-controller.ts';
export {
  cgroupPathFor,
  cgroupPathSince,
  flexVolumePathFor,
  type ImmutableSystem,
  immutableSystems,
  immutableUnknown,
  knownCgroupPaths,
  knownFlexVolumePaths,
} from './platforms/immutable-systems.ts';
export { type Installer, installerOf, installerOfNode, installers } from './platforms/installers.ts';
export { type KernelFlavour, kernelFlavourOf, kernelFlavours } from './platforms/kernel-flavours.ts';
export {
  hasTcx,
  type Kernel,
  type KernelRule,
  kernelAtLeast,
  kernelRules,
  kernelVerdict,
  parseKernel,
  tcxKernels,
} from './platforms/kernels.ts';
export { kubernetesFit, type TestedWith, testedWith, testedWithOf } from './platforms/kubernetes-versions.ts';
export { type LinkMtu, linkMtus, linkMtusUnder, vxlanOverhead, vxlanOverheadOverIPv6 } from './platforms/link-mtus.ts';
export { type NotReady, notReady } from './platforms/not-ready.ts';
export { type OtherNetwork, otherNetworkOf, otherNetworks } from './platforms/other-networks.ts';
export { platformIn, platformOf } from './platforms/platform-in.ts';
export { keyMatches, type PlatformSign, platformSigns, type Sign } from './platforms/platform-signs.ts';
export {
  type Cloud,
  cloudOf,
  clouds,
  type EndpointSource,
  isHosted,
  type Platform,
  type ProxyRemoval,
  platforms,
  resolverFor,
} from './platforms/platforms.ts';
export {
  expectsAgent,
  isVirtualNode,
  labelledSystem,
  type NodeKind,
  runsAgent,
  systemOf,
  whyAgentless,
} from './platforms/virtual-node.ts';
export { proxySettleSeconds } from './proxy-settle.ts';
export { bpfFeatures, bpfMapsKb, loadedByAgentAlone } from './releases/bpf-features.ts';
export { type CalicoReleaseRow, calicoReleases, releasesWithOperator } from './releases/calico-releases.ts';
export {
  chartDefaults,
  type MovedValue,
  movedBetween,
  movedValues,
  type PinnedValue,
  pinnedValues,
} from './releases/chart-values.ts';
export {
  chartVersion,
  type DefinitionChart,
  definitionChartOf,
  definitionCharts,
  versionInChart,
} from './releases/definition-charts.ts';
export {
  calicoOf,
  type EnterpriseReleaseRow,
  enterpriseKinds,
  enterpriseKindsOf,
  enterpriseRelease,
  enterpriseReleases,
  enterpriseTrains,
  isEnterprise,
  isEnterpriseTrain,
  type Variant,
  variantOf,
} from './releases/enterprise.ts';
export { type FileStanding, fileStandings, verificationNotice } from './releases/file-standing.ts';
export {
  type Gate,
  gateOfHop,
  gates,
  gatesOfRelease,
  hopOf,
  inAnyRange,
  inRange,
  kernelGates,
  type VersionRange,
} from './releases/gates.ts';
export { operatorDefinitions } from './releases/operator-definitions.ts';
export { isPinned } from './releases/pinned-releases.ts';
export { proposedRelease } from './releases/proposed-release.ts';
export type { Manifest, ManifestObject, ManifestRef, ReleaseContents } from './releases/release-contents.ts';
export { definitionsOf, type ReleaseDefinitions, releaseDefinitions } from './releases/release-definitions.ts';
export {
  isForOpenshift,
  openshiftUpgradeFile,
  publishedPlaceholder,
  type ReleaseFileRow,
  type RequiredObject,
  releaseFiles,
} from './releases/release-files.ts';
export { calicoMinorOfOperator, calicoOfOperator, type OperatorTrain, operatorTrains } from './releases/releases.ts';
export { schemaFingerprint } from './releases/schema-fingerprint.ts';
export { releaseToInstall, type VersionAdvice, versionAdvice } from './releases/version-advice.ts';
export { compareNumbers, parseRelease, type Release, releaseAtLeast } from './releases/versions.ts';
export { type SourceKind, sourceFault, sourceKinds, sourceKindsOf } from './sources.ts';
export { type LimitSupport, limitSupport, type TrafficLimit, trafficLimits } from './traffic-limits.ts';
export {
  canonicalAddress,
  localRanges,
  type UndialledRange,
  undialledRange,
  undialledRanges,
} from './undialled-ranges.ts';
export { isUnknown, type Known, type Unknown } from './unknown.ts';
export { wasRead } from './was-read.ts';
export {
  allowedGapMs,
  isClusterService,
  mostAskingNodes,
  type ServiceKind,
  serviceKindIds,
  servicePace,
  serviceTitle,
  watchRefs,
  watchTakes,
} from './watched-services.ts';
export { type WizardQuestion, type WizardStep, wizardQuestions, wizardSteps } from './wizard-steps.ts';
