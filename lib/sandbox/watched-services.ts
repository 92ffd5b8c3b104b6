import {
  type Clock,
  type Kube,
  KubeError,
  podOf,
  type ServiceReading,
  type ServiceWatch,
  type WatchedServices,
} from '#lib/kube/index.ts';
import { agentPodsSelector, resources, type ServiceKind, serviceKindIds, servicePace } from '#lib/spec/index.ts';

/**
 * How services answer on the nodes of a sandbox while a run changes them. A sandbox has no network to measure: each agent that starts again costs its
 * node a short gap, as on real nodes, and always the same gap.
 */
export function sandboxServices(kube: Kube, clock: Clock): WatchedServices {
  return {
    watch: async ({ signal }) => {
      const agents = await agentsOf(kube, signal);
      if (agents.size === 0) throw new KubeError('unsupported', "The agent's image is not known.");
      const { intervalMs, asking } = servicePace(agents.size);
      return watchOf(kube, clock, { agents, intervalMs, nodes: [...agents.keys()].sort().slice(0, asking) });
    },
    sweep: async () => {},
  };
}

type Began = { agents: Map<string, string>; intervalMs: number; nodes: string[] };

function watchOf(kube: Kube, clock: Clock, { agents, intervalMs, nodes }: Began): ServiceWatch {
  let known = agents;
  let readAt = clock.now();
  return {
    intervalMs,
    nodes,
    of: agents.size,
    read: async ({ signal }) => {
      const now = clock.now();
      const spanMs = now - readAt;
      if (spanMs <= 0) return [];
      const pods = await agentsOf(kube, signal);
      const readings = nodes.map((node) => {
        const pod = pods.get(node);
        const isNew = pod !== undefined && pod !== known.get(node);
        return readingOf({ node, at: now, spanMs, intervalMs, gap: isNew ? gapOn(node) : null });
      });
      known = new Map([...known, ...pods]);
      readAt = now;
      return readings;
    },
    end: async () => null,
  };
}

type ServiceSpan = {
  node: string;
  at: number;
  spanMs: number;
  intervalMs: number;
  gap: { kind: ServiceKind; ms: number } | null;
};

function readingOf({ node, at, spanMs, intervalMs, gap }: ServiceSpan): ServiceReading {
  const tried = Math.max(1, Math.round(spanMs / intervalMs));
  const ms = gap === null ? 0 : Math.min(gap.ms, Math.round(spanMs / 2));
  const counts = (kind: ServiceKind) => {
    const none = gap?.kind === kind ? Math.min(tried - 1, Math.round(ms / intervalMs)) : 0;
    return { tried, answered: tried - none, late: 0, none, openMs: 0 };
  };
  return {
    node,
    at,
    spanMs,
    kinds: Object.fromEntries(serviceKindIds.map((kind) => [kind, counts(kind)])),
    gaps: gap === null || ms === 0 ? [] : [{ kind: gap.kind, at: at - Math.round(spanMs / 2), ms }],
  };
}

/** A gap of 200 to 800 ms of one kind of service. It depends on the node's name alone. */
function gapOn(node: string): { kind: ServiceKind; ms: number } {
  const sum = [...node].reduce((total, letter) => total + letter.charCodeAt(0), 0);
  return { kind: serviceKindIds[sum % serviceKindIds.length] ?? 'api', ms: 200 + (sum % 7) * 100 };
}

/** Name of the agent's pod by node. */
async function agentsOf(kube: Kube, signal: AbortSignal): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for await (const { items } of kube.list(resources.pods, { labelSelector: agentPodsSelector, signal }))
    for (const item of items) {
      const { spec } = podOf(item);
      if (spec.nodeName) found.set(spec.nodeName, item.metadata.uid ?? '');
    }
  return found;
}
