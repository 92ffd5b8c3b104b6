/** For pages: nothing here connects to anything, or loads code that does. */
export { bytesText } from './bytes-text.ts';
export type { Flow, FlowEnd } from './flow.ts';
export { messagePartsFor } from './flow-error.ts';
export { csvHeading, csvLine, flowLine } from './flow-lines.ts';
export { fitting, flowSize } from './flow-size.ts';
export { mostListed } from './history/history-engine.ts';
export { type FlowMap, flowMap, type MapEdge, type MapLevel, type MapPlace, mostPlaces } from './map/flow-map.ts';
export { type Completion, completed, completionsAt, hintsOf, type QueryHints } from './query/complete-query.ts';
export { endName } from './query/end-names.ts';
export { flowsFor } from './query/flows-for.ts';
export { matchesQuery } from './query/matches-query.ts';
export { mergedHints } from './query/named-hints.ts';
export { longestQuery, parseQuery } from './query/parse-query.ts';
export { endQuery, pairQuery, placeQuery, policyQuery } from './query/queries-of-flow.ts';
export type { Query, Term } from './query/query.ts';
export { queryText } from './query/query-text.ts';
export { atWindow, isPast, type Window, windowOf } from './query/window.ts';
export { type Talker, type TalkerGroup, talkersOf } from './talkers.ts';
export {
  decidedBy,
  stagedSentence,
  type TrailStep,
  trailSentence,
  trailSteps,
  wouldBeDenied,
} from './trail/policy-trail.ts';
export { podsCommand, policyCommand } from './trail/read-commands.ts';
