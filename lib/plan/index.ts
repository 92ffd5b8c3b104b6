export { withAccessOfPlan } from './access/access-of-plan.ts';
export { namespacesForRoles, type RoleSet, roleSets } from './access/role-sets.ts';
export { type HelmStorage, ruleKey, rulesFor, rulesNamedBy } from './access/rules-for.ts';
export { asksForName, changesOf, isNeeded, stakesOf, touchesTraffic, yoursToDo } from './changes.ts';
export { yamlDiff } from './diff/diff.ts';
export { fileSummary } from './diff/file-summary.ts';
export {
  differencesBetween,
  differenceWords,
  type PlanDifference,
} from './diff/plan-differences.ts';
export { type TakenOver, takenOverLines } from './diff/taken-over.ts';
export { planAsGitops } from './gitops/plan-as-gitops.ts';
export { helmArguments } from './install/helm-arguments.ts';
export type { KindOfUpgrade } from './journeys.ts';
export { clusterUidOf, makePlan } from './make-plan.ts';
export { markedAsMade } from './objects/marked-as-made.ts';
export { targetsOf } from './objects/objects.ts';
export { releaseRefs } from './objects/release-objects.ts';
export { hasSameSpec } from './objects/same-spec.ts';
export { parsePlan } from './parse-plan.ts';
export { pinnedToRelease } from './pins/pinned-to-release.ts';
export type { Plan, UndoStep } from './plan.ts';
export { planSchema } from './plan.ts';
export { PlanError } from './plan-error.ts';
export { planHash } from './plan-hash.ts';
export { planUndo } from './plan-undo.ts';
export { policyRefs } from './policy/chosen-policy.ts';
export { type ProxyRemoval, proxyRemoval } from './proxy/proxy-removal.ts';
export type { Act } from './schema/act.ts';
export type { Condition } from './schema/condition.ts';
export type { OwnedObject, OwnerUids } from './schema/named-objects.ts';
export type { Guard, PlannedOperation, Rule } from './schema/planned-operation.ts';
export { withoutOwners } from './shell/act-command.ts';
export { planAsShell } from './shell/plan-as-shell.ts';
export { resourceArgument } from './shell/resource-argument.ts';
export { sidecarRefs } from './upgrade/afterwards/sidecars.ts';
export {
  type AfterwardsOffer,
  type UpgradeAfterwards,
  upgradeAfterwards,
} from './upgrade/afterwards/upgrade-afterwards.ts';
export type { HelmValue } from './upgrade/helm/changed-values.ts';
export {
  type DecidedChange,
  type FieldKept,
  type UpgradeChanges,
  upgradeChanges,
} from './upgrade/upgrade-changes.ts';
export {
  type LegsOfUpgrade,
  legsOfUpgrade,
  stationsOf,
  type WayOfUpgrade,
  wayOfUpgrade,
} from './upgrade/way-of-upgrade.ts';
export { inOwnWords } from './words/in-own-words.ts';
export { type StepMarks, stepMarks } from './words/step-marks.ts';
export { whenPaused } from './words/when-paused.ts';
