export { type ClusterStatus, type ComponentStatus, readStatus } from './cluster-status.ts';
export { type Health, healthOf } from './health.ts';
export { type NodeLine, verdictOf } from './node-line.ts';
export { Reachability, type Stale } from './reachability.ts';
export { isProxyOff } from './unserved.ts';
export { readVersions } from './versions.ts';
export type { ClusterChange, ClusterPicture, SeenRun } from './watch/cluster-change.ts';
export { watchCluster } from './watch/watch-cluster.ts';
export { readWorkloadVersions, type WorkloadVersion, type WorkloadVersions } from './workload-versions.ts';
