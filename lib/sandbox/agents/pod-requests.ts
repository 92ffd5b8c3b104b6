import { type Clock, type ExecResult, KubeError, type LogOptions, type PodHandlers } from '#lib/kube/index.ts';
import { kubeProxyHealthPort, names } from '#lib/spec/index.ts';
import type { ClusterCache } from '../workloads/cluster-cache.ts';
import type { PodShape } from '../workloads/shapes.ts';
import { agentMark, isProxy, markOn, runningContainer } from './agent-pods.ts';
import { type NodeServices, runCommand } from './commands.ts';
import { kernelOf, type NodeMemory, proxyOf } from './node-memory.ts';
import { readLog } from './read-log.ts';
import { servicePorts } from './service-rules.ts';

/** `turn`: lets a pod's agent do first what it has yet to do. */
type Nodes = {
  readonly cache: Pick<ClusterCache, 'nodes' | 'pods' | 'services' | 'endpointSlices'>;
  readonly memory: NodeMemory;
  readonly clock: Clock;
  turn(podKey: string): void;
};

type NamedPod = { readonly namespace: string; readonly name: string };

/** Requests that the API server passes on to the nodes: what their pods log, serve and print. */
export function podRequests(nodes: Nodes): PodHandlers {
  return {
    logs: async (pod, options) => logsOf(nodes, pod, options),
    get: async (pod) => answerOf(nodes, pod),
    exec: async (pod, command) => outputOf(nodes, pod, command),
  };
}

function logsOf({ cache, memory, turn }: Nodes, { namespace, name }: NamedPod, options: LogOptions): string {
  const pod = cache.pods.get(`${namespace}/${name}`)?.shape;
  const known = [...(pod?.spec.initContainers ?? []), ...(pod?.spec.containers ?? [])];
  if (!pod || !known.some((each) => each.name === options.container))
    throw badRequest(`container ${options.container} is not valid for pod ${name}`);
  if (options.previous)
    throw badRequest(`previous terminated container "${options.container}" in pod "${name}" not found`);
  if (options.container !== names.nodeContainer) return '';
  if (!runningContainer(pod, names.nodeContainer))
    throw badRequest(`container "${options.container}" in pod "${name}" is waiting to start: PodInitializing`);
  turn(`${namespace}/${name}`);
  return readLog(memory.lines(pod.metadata.uid), options);
}

/** kube-proxy's `/healthz`, in Go's format. Calico's agent has no such endpoint here: the proof of a node must come from its log. */
function answerOf(
  { cache, memory, clock, turn }: Nodes,
  { namespace, name, port, path }: NamedPod & { port: number; path: string },
) {
  const pod = cache.pods.get(`${namespace}/${name}`)?.shape;
  const isHealth = pod && isProxy(pod) && port === kubeProxyHealthPort && path === '/healthz';
  if (!isHealth || !runningContainer(pod, names.kubeProxyDaemonSet))
    return { status: 404, body: '404 page not found\n' };
  turn(`${namespace}/${name}`);
  const at = proxyOf(memory, pod.metadata.uid)?.syncedAt ?? null;
  const body = { lastUpdated: inGo(at), currentTime: inGo(clock.now()), nodeEligible: true };
  return { status: 200, body: JSON.stringify(body) };
}

function outputOf(
  nodes: Nodes,
  { namespace, name, container }: NamedPod & { container: string },
  command: readonly string[],
): ExecResult {
  const { cache, turn } = nodes;
  const pod = cache.pods.get(`${namespace}/${name}`)?.shape;
  if (!pod || !runningContainer(pod, container)) throw badRequest(`container not found ("${container}")`);
  turn(`${namespace}/${name}`);
  const line = command.join(' ');
  return runCommand(container, line, servicesOn(nodes, pod));
}

function servicesOn({ cache, memory }: Nodes, pod: PodShape): NodeServices {
  const objects = (kind: 'services' | 'endpointSlices') => cache[kind].all().map(({ object }) => object);
  const ports = servicePorts(objects('services'), objects('endpointSlices'));
  const kernel = kernelOf(memory, pod.spec.nodeName ?? '');
  const nftables = proxyOf(memory, pod.metadata.uid)?.mode === 'nftables';
  return {
    iptables: kernel?.proxyRules && !nftables ? ports : null,
    nftables: kernel?.proxyRules && nftables ? ports : null,
    ipvs: kernel?.ipvs ? ports : null,
    bpf: kernel?.bpf && markOn(cache, pod.spec.nodeName ?? '', agentMark) !== 'silent' ? ports : null,
  };
}

/** Go's time.String() in UTC; its zero time is the year 1. */
function inGo(ms: number | null): string {
  if (ms === null) return '0001-01-01 00:00:00 +0000 UTC';
  return `${new Date(ms).toISOString().replace('T', ' ').replace('Z', '')} +0000 UTC m=+1.0`;
}

function badRequest(message: string): KubeError {
  return new KubeError('invalid', message, { status: 400 });
}
