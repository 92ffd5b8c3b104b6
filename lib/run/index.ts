export { type Carrier, carrierOf } from './carrier.ts';
export { type RunControl, runControl } from './control.ts';
export { type EventBody, type NodeState, type OperationLine, type RunEvent, runEventSchema } from './event.ts';
export type { RunOutcome } from './executor.ts';
export { followRun } from './follow.ts';
export { holderIdentity, type Identity, ownIdentity, processState, stateFolder, thisMachine } from './identity.ts';
export {
  directionOf,
  forwardProgress,
  hasEnded,
  type Journal,
  journalSchema,
  type PauseChoice,
  type RunState,
} from './journal.ts';
export { journalOf, journalRef } from './journal-store.ts';
export { claimsOfEndedRuns } from './left-behind.ts';
export { leaseRef, readLease } from './lease.ts';
export { operationLines } from './operation-lines.ts';
export { ChoiceError, type Prepared, preparePlan, readAndCheck } from './prepare.ts';
export { previewPlan } from './preview.ts';
export { allowedResidue, type Report, reportAsMarkdown, reportOf } from './report.ts';
export { requestOf, sendRequest } from './requests.ts';
export {
  type Continuation,
  continueRun,
  listRuns,
  type Refusal,
  type RunContext,
  type RunResult,
  type RunSummary,
  readRun,
  startRun,
} from './runs.ts';
export { stepsOf } from './steps.ts';
