export { withAccessOfPlan } from './access-of-plan.ts';
export type { Act, Condition } from './act.ts';
export { yamlDiff } from './diff.ts';
export { fileSummary } from './file-summary.ts';
export { helmArguments } from './helm-arguments.ts';
export { inOwnWords } from './in-own-words.ts';
export { makePlan } from './make-plan.ts';
export type { Effect, Guard, PlannedOperation, Rule, Undo } from './operation.ts';
export { pinnedToRelease, type ReleaseProblem } from './pins/pinned-to-release.ts';
export type { Plan, UndoStep } from './plan.ts';
export { planAsShell } from './plan-as-shell.ts';
export {
  type ChangedPart,
  differencesBetween,
  differenceWords,
  type PlanDifference,
  type Recorded,
} from './plan-differences.ts';
export { PlanError } from './plan-error.ts';
export { planHash } from './plan-hash.ts';
export { parsePlan, planSchema } from './plan-schema.ts';
export { planUndo } from './plan-undo.ts';
export { type ProxyRemoval, proxyRemoval } from './proxy-removal.ts';
export { releaseRefs } from './release-objects.ts';
export { namespacesForRoles, type RoleSet, roleSets } from './role-sets.ts';
export { rulesFor } from './rules-for.ts';
export { whenPaused } from './when-paused.ts';
