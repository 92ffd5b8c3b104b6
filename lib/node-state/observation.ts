import type { Evidence } from '#lib/facts/index.ts';
import { type KubeObject, landingPodOf, podState, workloadOf } from '#lib/kube/index.ts';
import { cannotLand, names } from '#lib/spec/index.ts';
import { type FelixOnNode, type FelixSources, felixOn } from './felix-on-node.ts';
import type { Plane, SeenNode } from './seen-node.ts';

/** A pod of Calico's agent. Times in ms; `startedAt`: of its container, null while that does not run. */
export type AgentPod = {
  uid: string;
  name: string;
  namespace: string;
  ready: boolean;
  /** What it does, to follow *its agent*: `is being replaced`. */
  words: string;
  createdAt: number;
  startedAt: number | null;
};

/**
 * What an agent's own log said when it was read last. Times in ms; `startedAt`: its latest start.
 * `sinceChange`: it said so after its configuration was written last; before that, its word holds only while nobody wants anything else.
 */
export type LogReading =
  | { kind: 'not-read' }
  | { kind: 'unreadable'; because: string }
  | { kind: 'enabled' | 'refused'; line: string; startedAt: number; sinceChange: boolean }
  /** Neither line. `reachesBack`: how far the log goes, so that silence means something: to the latest start, to the change only, or not even that. */
  | { kind: 'silent'; startedAt: number; reachesBack: 'start' | 'change' | 'neither' };

/** The agent's own dump of its service maps. */
export type MapsSeen = { kind: 'entries'; evidence: Evidence } | { kind: 'none'; because: string };

/** What the kernel has attached of Calico's programs: interfaces of the node's own, and how many on its cgroup. `services`: whether a Service is in its maps; null: nobody could look, or it has none. `not-told`: nobody could ask. */
export type ProgramsSeen =
  | { kind: 'told'; devices: readonly string[]; onCgroup: number; services: boolean | null; evidence: Evidence }
  | { kind: 'not-told' };

/** What was read of a node, and all that its verdict rests on. */
export type NodeObservation = {
  kernel: string;
  /** Why it is owed no agent, as a phrase: it runs Windows, it is virtual, no agent can land there. Null: it counts. */
  apart: string | null;
  agent: AgentPod | null;
  log: LogReading;
  /** Null: not asked for. It is asked only where the log tells nothing: it takes an exec. */
  maps: MapsSeen | null;
  /** Null: not asked for. */
  programs: ProgramsSeen | null;
  felix: FelixOnNode;
  /** What the Installation asks for; null where there is none. */
  asked: Plane | null;
  /** What it was seen on last, by whoever remembers. */
  before: Plane | null;
};

/** What all nodes share. `daemonSet`: the agents'. */
export type ClusterSeen = FelixSources & { asked: Plane | null };

type ReadOfNode = { node: SeenNode; agent: AgentPod | null } & Partial<
  Pick<NodeObservation, 'log' | 'maps' | 'programs' | 'before'>
>;

/** Puts together what was read. Pure: whoever calls has read it, or follows it by watches. */
export function observe(
  { node, agent, log = { kind: 'not-read' }, maps = null, programs = null, before = null }: ReadOfNode,
  cluster: ClusterSeen,
): NodeObservation {
  return {
    kernel: node.kernel,
    apart: node.apart ?? (agent === null ? cannotLandBecause(node, cluster.daemonSet) : null),
    agent,
    log,
    maps,
    programs,
    felix: felixOn(node.name, cluster),
    asked: cluster.asked,
    before,
  };
}

/** A node without an agent is owed one, unless its DaemonSet's pods cannot land there. Without the DaemonSet that is not known. */
function cannotLandBecause(node: SeenNode, daemonSet: KubeObject | null): string | null {
  if (!daemonSet) return null;
  return cannotLand(node, landingPodOf(workloadOf(daemonSet).spec.template.spec));
}

/** An agent's pod and its node; null for a pod that has no node yet. */
export function agentPod(object: KubeObject): { node: string; agent: AgentPod } | null {
  const { node, name, namespace, ready, words, createdAt, startedAt } = podState(object, names.nodeContainer);
  if (node === null) return null;
  return { node, agent: { uid: object.metadata.uid ?? '', name, namespace, ready, words, createdAt, startedAt } };
}

/** During a rollout a node may show the old pod going and the new one coming: the newest counts. */
export function newestAgent(agents: Iterable<AgentPod>): AgentPod | null {
  let newest: AgentPod | null = null;
  for (const agent of agents) if (newest === null || agent.createdAt >= newest.createdAt) newest = agent;
  return newest;
}
