export { Feed } from './feed.ts';
export { type FlowHistories, flowHistories, type HistorySettings, usualHistory } from './flow-histories.ts';
export { type ClusterAccess, type Live, type LiveOptions, makeLive, type RunPublisher } from './live.ts';
