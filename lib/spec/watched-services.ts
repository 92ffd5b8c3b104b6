import { names } from './objects/names.ts';
import type { ObjectRef } from './objects/object-ref.ts';
import { resources } from './objects/resources.ts';

/** What nodes ask while a run changes what carries their traffic, in the order in which it is shown. Ids are stable: they stand in journals. */
const serviceKinds = [
  { id: 'api', title: 'ClusterIP', whose: 'cluster' },
  { id: 'dns-udp', title: 'DNS', whose: 'cluster' },
  { id: 'dns-tcp', title: 'DNS over TCP', whose: 'cluster' },
  // The first NodePort of the cluster is anybody's: who scales what is behind it to 0 has nothing to do with the run.
  { id: 'node-port', title: 'NodePort', whose: 'anybody' },
] as const;

export type ServiceKind = (typeof serviceKinds)[number]['id'];
export const serviceKindIds = serviceKinds.map(({ id }) => id);

export function serviceTitle(kind: ServiceKind): string {
  return serviceKinds.find(({ id }) => id === kind)?.title ?? kind;
}

/** Whether everything in a cluster rests on it: a gap of others is reported, and holds nothing up. */
export function isClusterService(kind: ServiceKind): boolean {
  return serviceKinds.some(({ id, whose }) => id === kind && whose === 'cluster');
}

/**
 * So long may a service not answer before the run pauses. An agent that starts again in another mode leaves the rules of the one before in place
 * until its own are there, which takes it seconds and not a quarter of a minute.
 */
export const allowedGapMs = 15_000;

/** What is made so that services are asked, in order. `pullSecrets`: names of those that the agent's image needs, copied. */
export function watchRefs(pullSecrets: readonly string[]): ObjectRef[] {
  const namespace = names.watchNamespace;
  return [
    { resource: resources.namespaces, name: namespace },
    { resource: resources.serviceAccounts, namespace, name: namespace },
    ...pullSecrets.map((name) => ({ resource: resources.secrets, namespace, name })),
    { resource: resources.daemonSets, namespace, name: namespace },
  ];
}

/** What all nodes together may ask: connections a second at the API servers, questions a second at the cluster's DNS, which is asked in two ways. */
const mostPerSecond = { connections: 200, questions: 500 } as const;
const questionsAtOnce = 2;
const fastestMs = 50;
/**
 * On each node at the fastest: of a core, in percent, and of its network in both directions, in kB a second.
 * e2e/probe/watch-services.test.ts measures 2.2 to 2.5 and 40; by its cgroup (cpuacct.usage) it is 2.4 to 2.8 on
 * two cores that others use too, read 2026-11-27.
 */
export const watchTakes = { percent: 3, kilobytes: 50 } as const;
const mostNodes = 50;

/**
 * How often each of the nodes that ask does so, and how many do. Up to 10 nodes: every 50 ms. Beyond that as seldom as keeps all of them within bounds,
 * and beyond 50 nodes a sample. A gap is known to twice the interval.
 */
export function servicePace(nodes: number): { intervalMs: number; asking: number } {
  const asking = Math.min(nodes, mostNodes);
  const least = Math.max(
    (asking * 1_000) / mostPerSecond.connections,
    (asking * questionsAtOnce * 1_000) / mostPerSecond.questions,
  );
  return { intervalMs: Math.max(fastestMs, Math.ceil(least / 10) * 10), asking };
}
