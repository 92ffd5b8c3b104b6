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
  /** Its state as a phrase that follows *its agent*: `is being replaced`. */
  words: string;
  createdAt: number;
  startedAt: number | null;
};

/**
 * The result of the latest read of an agent's log. Times in ms; `startedAt`: the agent's latest start.
 * `sinceChange`: the line was written after the latest change of the configuration. An older line no longer counts once another data plane is wanted.
 */
export type LogReading =
  | { kind: 'not-read' }
  | { kind: 'unreadable'; because: string }
  | { kind: 'enabled' | 'refused'; line: string; startedAt: number; sinceChange: boolean }
  /** Neither line. `reachesBack`: how far back the log goes: to the latest start, only to the change, or to neither. A missing line proves something only in a log that goes back far enough. */
  | { kind: 'silent'; startedAt: number; reachesBack: 'start' | 'change' | 'neither' };

/** The result of the agent's dump of its service maps. */
export type MapsSeen = { kind: 'entries'; evidence: Evidence } | { kind: 'none'; because: string };

/**
 * Calico's programs that the kernel has attached: on which interfaces of the node, and how many on its cgroup. `services`: whether its maps hold a Service;
 * null: they could not be read, or there are none. `unreadable`: the programs could not be read.
 */
export type ProgramsSeen =
  | { kind: 'read'; devices: readonly string[]; onCgroup: number; services: boolean | null; evidence: Evidence }
  | { kind: 'unreadable' };

/** Everything that was read of a node for its verdict. */
export type NodeObservation = {
  kernel: string;
  /** Why the node needs no agent, as a phrase: it runs Windows, it is virtual, or no agent can be scheduled there. Null: the node counts. */
  apart: string | null;
  agent: AgentPod | null;
  log: LogReading;
  /** Null: not read. The maps take an exec, so they are read only if the log does not decide. */
  maps: MapsSeen | null;
  /** Null: not read. */
  programs: ProgramsSeen | null;
  felix: FelixOnNode;
  /** The data plane in the Installation; null without an Installation. */
  installationPlane: Plane | null;
  /** The data plane that the caller saw last on this node; null: none yet. */
  before: Plane | null;
};

/** What was read of the cluster for all its nodes. `daemonSet`: that of the agents. */
export type ClusterSeen = FelixSources & { installationPlane: Plane | null };

type ReadOfNode = { node: SeenNode; agent: AgentPod | null } & Partial<
  Pick<NodeObservation, 'log' | 'maps' | 'programs' | 'before'>
>;

/** Combines what the caller has read or watches into one observation. Pure. */
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
    installationPlane: cluster.installationPlane,
    before,
  };
}

/** A node without an agent still needs one, unless the DaemonSet's pods cannot be scheduled there. Null also if the DaemonSet is not known. */
function cannotLandBecause(node: SeenNode, daemonSet: KubeObject | null): string | null {
  if (!daemonSet) return null;
  return cannotLand(node, landingPodOf(workloadOf(daemonSet).spec.template.spec));
}

/** An agent's pod and its node; null for a pod without a node. */
export function agentPod(object: KubeObject): { node: string; agent: AgentPod } | null {
  const { node, name, namespace, ready, words, createdAt, startedAt } = podState(object, names.nodeContainer);
  if (node === null) return null;
  return { node, agent: { uid: object.metadata.uid ?? '', name, namespace, ready, words, createdAt, startedAt } };
}

/** The newest of a node's agents: during a rollout a node may have the old pod and the new one. */
export function newestAgent(agents: Iterable<AgentPod>): AgentPod | null {
  let newest: AgentPod | null = null;
  for (const agent of agents) if (newest === null || agent.createdAt >= newest.createdAt) newest = agent;
  return newest;
}
