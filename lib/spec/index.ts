export type { MissingRule } from './access-rule.ts';
export { type CalicoReleaseRow, calicoReleases, releasesWithOperator } from './calico-releases.ts';
export { type Choices, choicesSchema, type Goal, goals, type PlatformKind, platformKinds } from './choices.ts';
export { cannotLand, type LandingNode, type LandingPod } from './daemon-landing.ts';
export { type DistributionFloor, distributionFloorFor, distributionFloors } from './distribution-floors.ts';
export {
  type Distribution,
  type DistributionFamily,
  type DistributionRule,
  distributionFamily,
  distributionOf,
  distributionRules,
  isImmutable,
} from './distributions.ts';
export { type EndpointSourceRow, endpointSources } from './endpoint-sources.ts';
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
} from './enterprise.ts';
export { type Escalation, escalations, escalationsOf } from './escalations.ts';
export { type UnsupportedFeature, unsupportedFeatures } from './features.ts';
export { type FileStanding, fileStandings, verificationNotice } from './file-standing.ts';
export {
  type Gate,
  gates,
  gatesOfRelease,
  inAnyRange,
  inRange,
  kernelGates,
  type VersionRange,
} from './gates.ts';
export { type ImageNaming, type NamingFault, namingFaults, renamedImage, splitImage } from './image-name.ts';
export {
  type ImageList,
  type ImagePart,
  type ImageUse,
  imageLists,
  imageParts,
  imagesByPattern,
  imageUses,
} from './images.ts';
export {
  cgroupPathFor,
  cgroupPathSince,
  flexVolumePathFor,
  type ImmutableSystem,
  immutableSystems,
  knownCgroupPaths,
  knownFlexVolumePaths,
} from './immutable-systems.ts';
export { type JournalNamespaces, journalNamespaces } from './journal-namespaces.ts';
export { type Kernel, type KernelRule, kernelAtLeast, kernelRuleFor, kernelRules, parseKernel } from './kernels.ts';
export { type TestedWith, testedWith, testedWithOf } from './kubernetes-versions.ts';
export { type LinkMtu, linkMtus, linkMtusUnder, vxlanOverhead } from './link-mtus.ts';
export { names } from './names.ts';
export { type NotReady, notReady } from './not-ready.ts';
export { type ObjectRef, objectId } from './object-ref.ts';
export { operatorDefinitions } from './operator-definitions.ts';
export { cniPaths, flexVolumePaths } from './operator-paths.ts';
export { type OperatorRewrite, operatorRewrites, rewrittenByOperator } from './operator-rewrites.ts';
export { type OtherNetwork, otherNetworkOf, otherNetworks } from './other-networks.ts';
export { isOwnObject, type OwnObject, ownObjects } from './own-objects.ts';
export { isPinned } from './pinned-releases.ts';
export { type PlannedImage, type PlannedImages, planImages, type WantedImages } from './plan-images.ts';
export { type PlatformGuide, type Provider, platformGuides } from './platform-guides.ts';
export { keyMatches, type PlatformSign, platformSigns, type Sign } from './platform-signs.ts';
export {
  type Cloud,
  cloudOf,
  clouds,
  type EndpointSource,
  type Platform,
  type ProxyRemoval,
  platforms,
} from './platforms.ts';
export { proposedRelease } from './proposed-release.ts';
export { type DefaultRegistry, defaultRegistries, defaultRegistryOf } from './registries.ts';
export type { Manifest, ManifestObject, ManifestRef, ReleaseContents } from './release-contents.ts';
export { definitionsOf, type ReleaseDefinitions, releaseDefinitions } from './release-definitions.ts';
export { type ReleaseFileRow, type RequiredObject, releaseFiles } from './release-files.ts';
export { calicoMinorOfOperator, calicoOfOperator, type OperatorTrain, operatorTrains } from './releases.ts';
export { apiVersionOf, type Resource, resourceOf, resources } from './resources.ts';
export { type RoleKind, type RoleKindId, roleKindOf, roleKinds } from './role-kinds.ts';
export { type RoleObject, type RoleRule, roleObjects } from './role-objects.ts';
export { schemaFingerprint } from './schema-fingerprint.ts';
export { type SourceKind, sourceFault, sourceKinds, sourceKindsOf } from './sources.ts';
export {
  canonicalAddress,
  localRanges,
  type UndialledRange,
  undialledRange,
  undialledRanges,
} from './undialled-ranges.ts';
export { isUnknown, type Known, type Unknown } from './unknown.ts';
export { v3Uid } from './v3-uid.ts';
export { releaseToInstall, type VersionAdvice, versionAdvice } from './version-advice.ts';
export { compareNumbers, parseRelease, type Release, releaseAtLeast } from './versions.ts';
export { isVirtualNode } from './virtual-node.ts';
export { type WizardQuestion, type WizardStep, wizardQuestions, wizardSteps } from './wizard-steps.ts';
