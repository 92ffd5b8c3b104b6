export type { Act, Condition, FieldExpectation } from './act.ts';
export type { Effect, Guard, OperationDefinition, PlanContext, PlannedOperation, Rule, Undo } from './operation.ts';
export type { Plan, UndoStep } from './plan.ts';
