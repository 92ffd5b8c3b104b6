export { stateFolder } from '#lib/folders/index.ts';
export { isPassing } from './api-retry.ts';
export { cacheKey } from './cache-key.ts';
export { type Carrier, carrierOf } from './carrier.ts';
export { type RunControl, runControl } from './control.ts';
export { type EventBody, type NodeState, type OperationLine, type RunEvent, runEventSchema } from './event.ts';
export type { RunOutcome } from './executor.ts';
export { followRun } from './follow.ts';
export type { ForeignReview } from './foreign/foreign-review.ts';
export { type ForeignRunContext, reviewForeignRun } from './foreign/review-foreign-run.ts';
export { type Forgotten, forgetRun } from './forget-run.ts';
export { holderIdentity, type Identity, ownIdentity, processState, thisMachine } from './identity.ts';
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
export { leaseRef, readLease } from './lease.ts';
export { claimsOfEndedRuns } from './left-behind.ts';
export type { Manifests } from './manifest-acts.ts';
export { memoryInFolder } from './memory/memory-in-folder.ts';
export { memoryInProcess } from './memory/memory-in-process.ts';
export { type ForeignReason, foreignBecause, type Provenance } from './memory/provenance.ts';
export type { RunMemory } from './memory/run-memory.ts';
export { operationLines } from './operation-lines.ts';
export { placeOfRun } from './place-of-run.ts';
export { previewPlan } from './preview.ts';
export type { Releases, WantedRelease } from './releases.ts';
export { type Report, reportAsMarkdown, reportOf } from './report.ts';
export { sendRequest } from './requests.ts';
export {
  type ConfirmedRun,
  type Continuation,
  continueRun,
  listRuns,
  type ReadRun,
  type Refusal,
  type RunContext,
  type RunResult,
  type RunSummary,
  readRun,
  readRunWithProvenance,
  runSummaryOf,
  runsOfPlaces,
  startRun,
} from './runs.ts';
export { writeStateFile, writeWhole } from './state-file.ts';
export { stepsOf } from './steps.ts';
export { unfinishedRun } from './unfinished-run.ts';
