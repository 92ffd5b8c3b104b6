import { names } from './objects/names.ts';
import type { ObjectRef } from './objects/object-ref.ts';
import { resources } from './objects/resources.ts';

/** Kinds of Services that nodes query during a run that changes their data plane, in display order. Ids are stable, because journals contain them. */
const serviceKinds = [
  { id: 'api', title: 'ClusterIP', whose: 'cluster' },
  { id: 'dns-udp', title: 'DNS', whose: 'cluster' },
  { id: 'dns-tcp', title: 'DNS over TCP', whose: 'cluster' },
  // The cluster's first NodePort belongs to a user, who may scale its pods to 0 independently of the run.
  { id: 'node-port', title: 'NodePort', whose: 'anybody' },
] as const;

export type ServiceKind = (typeof serviceKinds)[number]['id'];
export const serviceKindIds = serviceKinds.map(({ id }) => id);

export function serviceTitle(kind: ServiceKind): string {
  return serviceKinds.find(({ id }) => id === kind)?.title ?? kind;
}

/** Whether the whole cluster depends on it. Gaps of other kinds are reported, but do not pause the run. */
export function isClusterService(kind: ServiceKind): boolean {
  return serviceKinds.some(({ id, whose }) => id === kind && whose === 'cluster');
}

/**
 * How long a Service may not answer before the run pauses. An agent that restarts in another mode keeps the previous rules until its own are in place, which takes
 * a few seconds.
 */
export const allowedGapMs = 15_000;

/** Objects that are created to query Services, in order. `pullSecrets`: names of copied Secrets for the agent's image. */
export function watchRefs(pullSecrets: readonly string[]): ObjectRef[] {
  const namespace = names.watchNamespace;
  return [
    { resource: resources.namespaces, name: namespace },
    { resource: resources.serviceAccounts, namespace, name: namespace },
    ...pullSecrets.map((name) => ({ resource: resources.secrets, namespace, name })),
    { resource: resources.daemonSets, namespace, name: namespace },
  ];
}

/** Limits for all nodes together: connections per second to the API servers, and queries per second to cluster DNS, which is queried in two ways. */
const mostPerSecond = { connections: 200, questions: 500 } as const;
const questionsAtOnce = 2;
const fastestMs = 50;
/**
 * Load on each node at the fastest pace: percent of a core, and kB per second of its network in both directions.
 * e2e/probe/watch-services.test.ts measures 2.2 to 2.5 and 40; by its cgroup (cpuacct.usage) it is 2.4 to 2.8 on
 * two cores that others use too, read 2026-11-27.
 */
export const watchTakes = { percent: 3, kilobytes: 50 } as const;
/** Of more nodes than these only a sample queries. */
export const mostAskingNodes = 50;

/**
 * The interval of queries on each node, and the number of querying nodes. Up to 10 nodes query every 50 ms; more nodes query less often to stay within the limits,
 * and of more than 50 nodes only a sample queries. Gaps are known to twice the interval.
 */
export function servicePace(nodes: number): { intervalMs: number; asking: number } {
  const asking = Math.min(nodes, mostAskingNodes);
  const least = Math.max(
    (asking * 1_000) / mostPerSecond.connections,
    (asking * questionsAtOnce * 1_000) / mostPerSecond.questions,
  );
  return { intervalMs: Math.max(fastestMs, Math.ceil(least / 10) * 10), asking };
}
