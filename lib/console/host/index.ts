export { clusterSlug } from './clusters/cluster-slug.ts';
export type { HostLog } from './host-log.ts';
export { type HostOptions, type MadeHost, makeHost } from './make-host.ts';
