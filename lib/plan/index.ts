export { withAccessOfPlan } from './access-of-plan.ts';
export type { Act, Condition, FieldExpectation } from './act.ts';
export { clusterRole, type NamespaceObject, namespacesForRoles, type RoleObject } from './cluster-role.ts';
export { type DiffOptions, yamlDiff } from './diff.ts';
export { fileSummary } from './file-summary.ts';
export { helmArguments } from './helm-arguments.ts';
export { makePlan, type PlanInput } from './make-plan.ts';
export { objectsWritten } from './objects-written.ts';
export {
  type Effect,
  type Guard,
  type Nudge,
  type OperationDefinition,
  type PlanContext,
  type PlannedOperation,
  type Rule,
  type RuleScope,
  type Undo,
  type UndoPhase,
  undoPhases,
} from './operation.ts';
export type { Plan, UndoStep } from './plan.ts';
export { planAsShell } from './plan-as-shell.ts';
export { PlanError } from './plan-error.ts';
export { planHash } from './plan-hash.ts';
export { actSchema, conditionSchema, parsePlan, plannedOperationSchema, planSchema } from './plan-schema.ts';
export { planUndo } from './plan-undo.ts';
export { managementChoice, type ProxyRemoval, proxyRemoval } from './proxy-removal.ts';
export { releaseRefs } from './release-objects.ts';
export { rulesFor, rulesOf } from './rules-for.ts';
