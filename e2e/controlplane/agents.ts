import { connect, type ExecResult, isKubeError, keyOf, systemClock } from '#lib/kube/index.ts';
import { normalTimings } from '#lib/sandbox/index.ts';
import {
  agentKinds,
  cachedResources,
  emptyClusterCache,
  isAgent,
  isProxy,
  memoryOnly,
  NodeAgents,
  type NodeMemory,
  type PodShape,
  WorkQueue,
} from '#lib/sandbox/parts.ts';
import { kubeProxyHealthPort } from '#lib/spec/index.ts';
import type { KubeObject } from './api.ts';
import type { Pace } from './kwok-config.ts';
import { agentLog } from './objects/node-files.ts';

const felixRestartMs: Readonly<Record<Pace, readonly [number, number]>> = { normal: [100, 700], slow: [1_000, 5_000] };

export type PlaneAgents = {
  /** The output of a command in a container of an agent; null for any other pod, and for a pod that does not run. */
  exec(
    pod: { namespace: string; name: string; container: string },
    command: readonly string[],
  ): Promise<ExecResult | null>;
  /** The answer of kube-proxy's health port on a node, by path; null where no kube-proxy runs. */
  proxyHealth(node: string, path: string): Promise<{ status: number; body: string } | null>;
  /** The nodes as last seen; none before the first list. */
  nodes(): readonly KubeObject[];
  /** Ends when the signal aborts; rejects when the API server refuses for good. */
  ended: Promise<void>;
};

/**
 * Runs the agents and kube-proxies of sandboxes (lib/sandbox/agents) for the emulated nodes of a real API server. They reach it
 * through `kubeconfig`. KWOK reads their logs from the files in `dir`.
 */
export async function startAgents({
  kubeconfig,
  dir,
  pace,
  signal,
}: {
  kubeconfig: string;
  dir: string;
  pace: Pace;
  signal: AbortSignal;
}): Promise<PlaneAgents> {
  // With this small jitter the client retries within half a second: for kinds that Calico brings, and after the API server was away.
  const kube = await connect({ kubeconfig, random: () => 0.02 });
  const cache = emptyClusterCache();
  const logs = logsInFiles(dir);
  const queue = new WorkQueue({ clock: systemClock, signal, delayMs: 0, turn: async (key) => agents.turn(key) });
  const agents: NodeAgents = new NodeAgents({
    cache,
    memory: logs.memory,
    clock: systemClock,
    timings: { ...normalTimings, felixRestartMs: felixRestartMs[pace] },
    again: (key, delayMs) => queue.ask(key, delayMs),
    servicesChanged: () => undefined,
    began: () => undefined,
  });
  const { exec, get } = agents.handlers();

  const reasons: Partial<Record<(typeof agentKinds)[number], (key: string) => void>> = {
    pods: (key) => {
      const pod = cache.pods.get(key)?.shape;
      if (pod && isAgent(pod)) logs.belongTo(pod);
      if (pod) queue.ask(key);
    },
    felixConfigurations: () => {
      for (const { object, shape } of cache.pods.all()) if (isAgent(shape)) queue.ask(keyOf(object));
    },
  };
  const following = agentKinds.map((kind) => {
    const scope = kind === 'pods' ? { labelSelector: 'k8s-app in (calico-node,kube-proxy)' } : {};
    const changed = (after: Parameters<typeof keyOf>[0] | null) => reasons[kind]?.(after ? keyOf(after) : '');
    const events = { changed, listed: () => undefined };
    return cache[kind].follow(kube, { resource: cachedResources[kind], ...scope }, events, signal);
  });

  return {
    ended: Promise.all([...following, queue.run()]).then(() => kube.close()),
    nodes: () => cache.nodes.all().map(({ object }) => object as KubeObject),
    exec: (pod, command) => answerOrNull(exec?.(pod, command)),
    proxyHealth: async (node, path) => {
      const pod = cache.pods.shapes().find((each) => isProxy(each) && each.spec.nodeName === node);
      if (pod?.status.phase !== 'Running') return null;
      const { namespace, name } = pod.metadata;
      return answerOrNull(get?.({ namespace, name, port: kubeProxyHealthPort, path }));
    },
  };
}

async function answerOrNull<T>(answer: Promise<T> | undefined): Promise<T | null> {
  try {
    return (await answer) ?? null;
  } catch (error) {
    if (isKubeError(error, 'invalid')) return null;
    throw error;
  }
}

/** KWOK reads one agent log for each node: that of the newest pod. */
function logsInFiles(dir: string): { memory: NodeMemory; belongTo(pod: PodShape): void } {
  const nodes = new Map<string, string>();
  const newest = new Map<string, string>();
  return {
    belongTo: ({ metadata: { uid }, spec: { nodeName } }) => {
      if (nodeName === undefined || nodes.has(uid)) return;
      nodes.set(uid, nodeName);
      newest.set(nodeName, uid);
      agentLog(dir, nodeName).startAnew();
    },
    memory: {
      ...memoryOnly(),
      append: (uid, lines) => {
        const node = nodes.get(uid);
        if (node === undefined || newest.get(node) !== uid) return;
        for (const { at, line } of lines) agentLog(dir, node).append(line, new Date(at));
      },
    },
  };
}
