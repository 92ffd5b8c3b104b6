export { historyInWords } from './etcd-history.ts';
export type { Holder } from './holder.ts';
export { leftInWords, leftProbe, sweepLeftProbe } from './left-probe.ts';
export { parseLines } from './line.ts';
export { measurementsOf } from './measurements.ts';
export {
  type ProbeSettings,
  type PullSecret,
  probeEnvironment,
  probeNames,
  probeObjectIds,
  probeObjects,
  scriptOf,
  secondsToEnd,
  usualPatienceMs,
  wayOf,
  waysOf,
} from './objects.ts';
export type { NodeReport, ProbedNode, Question } from './outcomes/report.ts';
export { choosePartners, type Partners, partnersOf } from './partners/partners.ts';
export { probeRoleSet } from './probe-role.ts';
export { leftBy, missingRight, type Probed, rightInWords, runProbe } from './run-probe.ts';
export { podScript, probeScript, watchScript } from './scripts/scripts.ts';
export { parseWatchLines, type WatchLine } from './watch/watch-line.ts';
export { watchEnvironment } from './watch/watch-objects.ts';
export { watchedServices } from './watch/watch-services.ts';
