import type { Slug } from '#lib/console/host.ts';

/** URLs of pages; those of the wizard's steps are in `lib/console/wizard`. */
export const clustersPath = '/';
export const clusterPath = (cluster: Slug) => `/clusters/${cluster}`;
export const findingsPath = (cluster: Slug) => `/clusters/${cluster}/findings`;
export const flowsPath = (cluster: Slug) => `/clusters/${cluster}/flows`;
export const runsPath = (cluster: Slug) => `/clusters/${cluster}/runs`;
export const runPath = (cluster: Slug, run: string) => `/clusters/${cluster}/runs/${encodeURIComponent(run)}`;
export const sessionsPath = '/sessions';
export const referencePath = '/reference';
export const topicPath = (topic: string) => `/reference/${topic}`;
/** The dashboard filtered to one node. */
export const nodePath = (cluster: Slug, node: string) => `${clusterPath(cluster)}?node=${encodeURIComponent(node)}`;
export const findingPath = (cluster: Slug, finding: string) => `${findingsPath(cluster)}#finding-${finding}`;
