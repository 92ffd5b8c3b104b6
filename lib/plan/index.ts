export type { Act, Condition, FieldExpectation } from './act.ts';
export { makePlan, type PlanInput } from './make-plan.ts';
export {
  type Effect,
  type Guard,
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
export { PlanError } from './plan-error.ts';
export { planHash } from './plan-hash.ts';
export { planUndo } from './plan-undo.ts';
