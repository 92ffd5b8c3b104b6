export { clusterSlug } from './clusters/cluster-slug.ts';
export { type MadeHost, makeHost } from './make-host.ts';
