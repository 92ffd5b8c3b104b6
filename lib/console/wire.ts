export type { RunLine } from '#lib/run/index.ts';
export type { NodeLine } from '#lib/status/index.ts';
export { clusterSentence } from './fold/cluster-sentence.ts';
export { foldCluster } from './fold/fold-cluster.ts';
export { foldFlows } from './fold/fold-flows.ts';
export { foldPreflight } from './fold/fold-preflight.ts';
export { foldRun } from './fold/fold-run.ts';
export { networkSentence } from './fold/network-sentence.ts';
export { isAboutNodes, runSentence } from './fold/run-sentence.ts';
export type {
  ClusterEvent,
  ClusterView,
  Connection,
  FlowsEvent,
  FlowsView,
  LogLine,
  PreflightEvent,
  PreflightView,
  RunNode,
  RunNow,
  RunStreamEvent,
  RunView,
  StreamEnd,
} from './fold/view.ts';
