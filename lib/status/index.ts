export { type ClusterStatus, type ComponentStatus, componentStatus, readStatus } from './cluster-status.ts';
export type { NodeLine } from './node-line.ts';
export { readVersions, type Versions } from './versions.ts';
