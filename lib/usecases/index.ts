export { type Assessment, type AssessOptions, assess } from './assess.ts';
export { type DumpOptions, dumpCluster } from './dump-cluster.ts';
export { withEarlierReasons } from './earlier-reasons.ts';
export { endStateOfRun } from './end-state-of-run.ts';
export { withKeptMeasurement } from './kept-measurement.ts';
export { lookThroughForeignRun } from './look-through.ts';
export { manifestsOf } from './manifests-of.ts';
export { type Preflight, preflight } from './preflight.ts';
export { type Prepared, type PrepareOptions, preparePlan } from './prepare.ts';
export { type PreparedProbe, prepareProbe } from './prepare-probe.ts';
export {
  factsKey,
  type ReadForRelease,
  type ReadingCache,
  readCluster,
  readFacts,
  type UseCluster,
} from './reading.ts';
export { type AnyRefusal, refusalInWords } from './refusal-in-words.ts';
export { releaseWanted } from './release-files.ts';
export { askHolder, meetRequest, meetRequestFromOutside, type RunAction } from './request-run.ts';
export { nothingToDo, runBefore, unready } from './start-plan.ts';
