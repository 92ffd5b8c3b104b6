import { isKubeError, type Kube, type KubeObject } from '#lib/kube/index.ts';
import {
  type AgentPod,
  agentPod,
  type ClusterSeen,
  type NodeObservation,
  newestAgent,
  observe,
  type Plane,
  seenNode,
} from '#lib/node-state/index.ts';
import { names, type Resource, resources } from '#lib/spec/index.ts';
import { podsOf } from '../conditions/rollout.ts';

/** A node in a proof, before its agent's log is read. `counts: null`: the switch waits for it; else the reason why not. */
export type CountedNode = { name: string; counts: null | { because: string }; observation: NodeObservation };

/** Nodes that are younger than this are listed but not awaited (operations.md › Proof of a node). */
const youngMs = 10 * 60_000;

type ProofOptions = {
  kube: Kube;
  daemonSet: KubeObject;
  felixResource: Resource;
  /** FelixConfiguration `default`, read by name: listing all may be forbidden. */
  felix: KubeObject | null;
  /** The data plane to which the run brings nodes. */
  toward: Plane | null;
  /** In ms. Nodes that existed before the run count however young they are: on a fresh test cluster there would be nothing to prove. */
  runStartedAt: number;
  nowMs: number;
  signal: AbortSignal;
};

/** Nodes that have an agent pod or should have one, computed again at every look: deleted nodes drop out, virtual ones never count. */
export async function countedNodes(options: ProofOptions): Promise<CountedNode[]> {
  const { kube, daemonSet, felixResource, felix, runStartedAt, nowMs, signal } = options;
  const agents = new Map<string, AgentPod[]>();
  for (const object of await podsOf(kube, daemonSet, signal)) {
    const pod = agentPod(object);
    if (pod) agents.set(pod.node, [...(agents.get(pod.node) ?? []), pod.agent]);
  }
  const configurations = await felixConfigurations(kube, felixResource, signal);
  if (felix) configurations.set(names.felixConfiguration, felix);
  const cluster: ClusterSeen = { daemonSet, configurations, installationPlane: options.toward };
  const seen: { name: string; observation: NodeObservation; isYoung: boolean }[] = [];
  for await (const page of kube.list(resources.nodes, { signal })) {
    for (const object of page.items) {
      const node = seenNode(object);
      if (!node) continue;
      const observation = observe({ node, agent: newestAgent(agents.get(node.name) ?? []) }, cluster);
      const ageMs = nowMs - node.createdAt;
      // A negative age comes from a clock that is ahead of this machine's: it excuses nothing.
      const isYoung = node.createdAt > runStartedAt && ageMs >= 0 && ageMs < youngMs;
      seen.push({ name: node.name, observation, isYoung });
    }
  }
  // If all were young and none awaited, the step would be done with nothing proven.
  const youngMayWait = seen.some(({ observation, isYoung }) => observation.apart === null && !isYoung);
  return seen.map(({ name, observation, isYoung }) => {
    const because = observation.apart ?? (isYoung && youngMayWait ? 'it joined less than 10 minutes ago' : null);
    return { name, counts: because === null ? null : { because }, observation };
  });
}

/** By name. Empty if they may not be read or are not served. */
async function felixConfigurations(
  kube: Kube,
  resource: Resource,
  signal: AbortSignal,
): Promise<Map<string, KubeObject>> {
  const found = new Map<string, KubeObject>();
  try {
    for await (const page of kube.list(resource, { signal }))
      for (const object of page.items) found.set(object.metadata.name ?? '', object);
  } catch (error) {
    if (!isKubeError(error, 'forbidden', 'not-served')) throw error;
  }
  return found;
}
