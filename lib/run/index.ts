export { stateFolder } from '#lib/folders/index.ts';
export type { Manifests } from './acts/manifest-acts.ts';
export { previewPlan } from './acts/preview.ts';
export type { Releases, WantedRelease } from './acts/releases.ts';
export { isPassing } from './engine/api-retry.ts';
export { type RunControl, runControl } from './engine/control.ts';
export type { RunOutcome } from './engine/execute-run.ts';
export { leaseRef, readLease } from './engine/lease.ts';
export { sendRequest } from './engine/requests.ts';
export type { ForeignReview } from './foreign/foreign-review.ts';
export { type ForeignRunContext, reviewForeignRun } from './foreign/review-foreign-run.ts';
export { followRun } from './journal/follow.ts';
export { journalRef } from './journal/journal-store.ts';
export { listRuns, type ReadRun, readRun, readRunWithProvenance } from './journal/list-runs.ts';
export { namespaceOfRun } from './journal/namespace-of-run.ts';
export { residualFieldsOfEndedRuns } from './journal/residual-fields.ts';
export { memoryInFolder } from './memory/memory-in-folder.ts';
export { memoryInProcess } from './memory/memory-in-process.ts';
export type { RunMemory } from './memory/run-memory.ts';
export { type EventBody, type NodeState, type OperationLine, type RunEvent, runEventSchema } from './model/event.ts';
export {
  directionOf,
  forwardProgress,
  hasEnded,
  type Journal,
  journalSchema,
  type PauseChoice,
  type RunState,
} from './model/journal.ts';
export { operationLines } from './model/operation-lines.ts';
export { type ForeignReason, foreignBecause, type Provenance } from './model/provenance.ts';
export { journalOf } from './model/read-journal.ts';
export { type Report, reportAsMarkdown, reportOf } from './model/report.ts';
export { mergedRuns, type RunSummary, runSummaryOf, unfinishedRun } from './model/run-summary.ts';
export { stepsOf } from './model/steps.ts';
export { type ConfirmedRun, type Continuation, continueRun } from './runs/continue-run.ts';
export { type Forgotten, forgetRun } from './runs/forget-run.ts';
export { type LeaseHolder, leaseHolderOf } from './runs/lease-holder.ts';
export type { Refusal, RunContext, RunResult } from './runs/run-context.ts';
export { startRun } from './runs/start-run.ts';
export { cacheKey } from './state-folder/cache-key.ts';
export { holderIdentity, type Identity, ownIdentity, processState, thisMachine } from './state-folder/identity.ts';
export { writeStateFile, writeWhole } from './state-folder/state-file.ts';
