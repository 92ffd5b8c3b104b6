export { Feed } from './feed.ts';
export { type ClusterAccess, type Live, type LiveOptions, makeLive, type RunPublisher } from './live.ts';
