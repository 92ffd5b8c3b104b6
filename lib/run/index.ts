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
export { type Drift, driftSince } from './inside/drift-since.ts';
export { insideStep, type StepInside } from './inside/inside-step.ts';
export { objectsOfStep } from './inside/objects-of-step.ts';
export { claimed } from './journal/claimed.ts';
export { followRun } from './journal/follow.ts';
export {
  listRuns,
  listRunsToShow,
  type ReadRun,
  readRun,
  readRunWithProvenance,
  seenRunToShow,
} from './journal/list-runs.ts';
export { namespaceOfRun } from './journal/namespace-of-run.ts';
export { residualFieldsOfEndedRuns } from './journal/residual-fields.ts';
export { forgetCluster } from './memory/forget-cluster.ts';
export { memoryInFolder } from './memory/memory-in-folder.ts';
export { memoryInProcess } from './memory/memory-in-process.ts';
export { provenanceOf } from './memory/provenance-of.ts';
export type { RunMemory } from './memory/run-memory.ts';
export * from './model/index.ts';
export { nodeOfRun } from './proof/node-of-run.ts';
export { provenBy } from './proof/proven-by.ts';
export { continueRun } from './runs/continue-run.ts';
export type { ConfirmedRun, Continuation } from './runs/decide-continuation.ts';
export { forgetRun } from './runs/forget-run.ts';
export { type LeaseHolder, leaseHolderOf, otherHolder } from './runs/lease-holder.ts';
export type { Refusal, RunContext, RunResult } from './runs/run-context.ts';
export { startRun } from './runs/start-run.ts';
export { sweepLeftServices } from './services/run-services.ts';
export { cacheKey } from './state-folder/cache-key.ts';
export { holderIdentity, type Identity, ownIdentity, processState, thisMachine } from './state-folder/identity.ts';
export { sweepParts, writeStateFile, writeWhole } from './state-folder/state-file.ts';
export { removeTraffic, trafficFile } from './state-folder/traffic-files.ts';
