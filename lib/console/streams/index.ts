export { Feed } from './feed.ts';
export { type FlowHistories, flowHistories, type HistorySettings, usualHistory } from './flow-histories.ts';
export { type Live, makeLive } from './live.ts';
