export { assess } from './assess.ts';
export { dumpCluster } from './dump-cluster.ts';
export { endStateOfRun } from './end-state-of-run.ts';
export { lookThroughForeignRun } from './look-through.ts';
export { withKeptMeasurement } from './preflight/kept-measurement.ts';
export { missingForProbe, offeredProbe, type ProbeOffer } from './preflight/offered-probe.ts';
export { leftBy, leftInWords, leftProbe, type Preflight, preflight, sweepLeftProbe } from './preflight/preflight.ts';
export { type PreparedProbe, prepareProbe } from './preflight/prepare-probe.ts';
export { probeInWords } from './preflight/probe-in-words.ts';
export { type Prepared, preparePlan } from './prepare.ts';
export {
  factsKey,
  type ReadForRelease,
  type ReadingCache,
  readCluster,
  readFacts,
  type UseCluster,
} from './reading.ts';
export { type AnyRefusal, refusalInWords } from './refusal-in-words.ts';
export { manifestsOf } from './release/manifests-of.ts';
export { releaseWanted } from './release/release-files.ts';
export { askHolder, meetRequest, meetRequestFromOutside, type RunAction } from './request-run.ts';
export { nothingToDo, runBefore, whyNotReady } from './start-plan.ts';
export { type KeptTraffic, keptTraffic } from './traffic/kept-traffic.ts';
export { reportWithTraffic, reportWithTrafficAsMarkdown } from './traffic/report-with-traffic.ts';
export { timesOfRun, trafficSince } from './traffic/traffic-since.ts';
export { withEarlierRuns } from './with-earlier-runs.ts';
