export { Aggregator } from './aggregator/aggregator.ts';
export { goldmaneQuirks, noQuirks, type QuirkId, quirkTable } from './aggregator/quirks.ts';
export { type AggregatorCertificates, type ServedAggregator, serveAggregator } from './aggregator/serve-aggregator.ts';
export { bytesText } from './bytes-text.ts';
export { type ChangedPair, type Changes, changedPairs, type FlowsOfTime } from './changes/changed-pairs.ts';
export { changesAsMarkdown } from './changes/changes-as-markdown.ts';
export {
  type ChangesOfRun,
  changesInHistory,
  type UnrecordedTimes,
  unrecordedTimes,
} from './changes/changes-in-history.ts';
export { type FlowClient, openFlowClient } from './client/flow-client.ts';
export { type FollowedFlow, followFlows } from './client/follow-flows.ts';
export { knownNames } from './client/known-names.ts';
export { listFlows } from './client/list-flows.ts';
export {
  type Collected,
  type CollectorNews,
  clickHouseSink,
  collectFlows,
  ndjsonFile,
  otlpAddress,
  otlpHeaders,
  otlpLogs,
  type Position,
  readPosition,
  type Sink,
  SinkError,
} from './collect/index.ts';
export { bucketSeconds, type Flow, type FlowEnd, historySeconds, lateSeconds, type PolicyHit } from './flow.ts';
export { everyFlow } from './flow-filter.ts';
export { csvHeading, csvLine, flowData, flowLine, flowTime } from './flow-lines.ts';
export type { HistorySeries } from './history/answers.ts';
export { type FlowHistory, type HistoryState, mostBuffered, openHistory } from './history/flow-history.ts';
export { type ListedFlows, mostListed } from './history/history-engine.ts';
export { historyTiers } from './history/history-tiers.ts';
export { clickHouseAccess } from './history/shared/clickhouse-access.ts';
export { openSharedHistory } from './history/shared/shared-history.ts';
export type { ClickHouseAccess } from './history/sql/clickhouse/index.ts';
export { openDuckDb } from './history/sql/duckdb/open-duckdb.ts';
export { withOlder } from './history/with-older.ts';
export { aggregatorPart } from './query/aggregator-part.ts';
export { hintsOf, type QueryHints } from './query/complete-query.ts';
export { endName, ownerName } from './query/end-names.ts';
export { matchesQuery } from './query/matches-query.ts';
export { type KnownNames, mergedHints, namedHints } from './query/named-hints.ts';
export { parseQuery, type QueryProblem } from './query/parse-query.ts';
export { type Moment, noQuery, type Query, type QueryKey, queryKeys, type Term } from './query/query.ts';
export { queryText } from './query/query-text.ts';
export { atWindow, type Window, windowOf } from './query/window.ts';
export type { SuggestedPolicy, WorkloadName } from './suggest/suggest-policy.ts';
export { readWorkload, suggestionFor } from './suggest/suggestion-for.ts';
export { suggestionText } from './suggest/suggestion-text.ts';
export { type TalkerGroup, talkerGroups, talkersOf } from './talkers.ts';
export { feedSample } from './traffic/feed-sample.ts';
export { sampleTraffic } from './traffic/sample-traffic.ts';
export { decidedBy, stagedSentence, trailLines, trailSentence } from './trail/policy-trail.ts';
export { evaluatePolicies, inForce, type PolicyEvaluation, withStaged } from './why/evaluate-policies.ts';
export type { WhyPolicy, WhyTier } from './why/policy.ts';
export { readCalicoPolicy, readTier } from './why/read-calico-policy.ts';
export { readKubernetesPolicy } from './why/read-kubernetes-policy.ts';
export type { PolicyPod, Traffic } from './why/traffic.ts';
export { evaluationLines } from './why/why-words.ts';
export { type WireFormat, wireFormatOf, wireFormats } from './wire/wire-format.ts';
