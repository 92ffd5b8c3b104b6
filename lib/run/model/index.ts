export { type LastHeard, lastHeard } from '../services/last-heard.ts';
export type { ServicesWatched } from '../services/services.ts';
export {
  askedNodes,
  askedTitle,
  gapLength,
  gapsSentence,
  kindsAsked,
  notMeasured,
  type ServiceGaps,
  serviceGaps,
} from '../services/services-in-words.ts';
export { type AcceptedRisk, acceptedRisks } from './accepted-risks.ts';
export { type NodeState, type OperationLine, type RunEvent, runEventSchema } from './event.ts';
export { hasEnded } from './has-ended.ts';
export { answeredRequests, lastHolder } from './history.ts';
export {
  directionOf,
  forwardProgress,
  isReleaseName,
  type Journal,
  journalSchema,
  type PauseChoice,
  type RunState,
} from './journal.ts';
export {
  eventsSince,
  eventWithClusterFlags,
  type JournalEvent,
  journalWithClusterFlags,
  underWay,
} from './journal-events.ts';
export { mayHaveActed, nodesProvenBy } from './node-times.ts';
export { type RunLine, runLines } from './operation-lines.ts';
export { foreignBecause } from './provenance.ts';
export { isRunName, journalOf, journalRef } from './read-journal.ts';
export { type Report, reportAsMarkdown, reportOf } from './report.ts';
export { medianSeconds, slowFactor } from './report-summary.ts';
export { runGoal } from './run-goal.ts';
export {
  carriesOut,
  laterRunWords,
  mergedRuns,
  type RunSummary,
  runSummaryOf,
  type ShownRun,
  unfinishedRun,
  unfinishedRunWords,
} from './run-summary.ts';
