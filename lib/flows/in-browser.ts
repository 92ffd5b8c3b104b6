/** What pages use: it dials nobody, and loads nothing that does. */
export { bytesText } from './bytes-text.ts';
export type { Flow, FlowEnd } from './flow.ts';
export { fitting, flowSize } from './flow-size.ts';
export { endName } from './query/end-names.ts';
export { flowsFor } from './query/flows-for.ts';
export { matchesQuery } from './query/matches-query.ts';
export { pairQuery } from './query/pair-query.ts';
export { parseQuery } from './query/parse-query.ts';
export type { Query, Term } from './query/query.ts';
export { queryText } from './query/query-text.ts';
export { atWindow, isPast, type Window, windowOf } from './query/window.ts';
export { decidedBy, stagedSentence, trailLines, trailSentence, wouldBeDenied } from './trail/policy-trail.ts';
