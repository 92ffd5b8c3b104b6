import type { Clock, PodHandlers } from '#lib/kube/index.ts';
import { names } from '#lib/spec/index.ts';
import type { Timings } from '../timings.ts';
import type { ClusterCache } from '../workloads/cluster-cache.ts';
import type { PodShape } from '../workloads/shapes.ts';
import { fraction, numberBetween } from '../workloads/template-hash.ts';
import { agentMark, isAgent, isProxy, markOn, proxyMark, runningContainer } from './agent-pods.ts';
import { effectiveFelixConfig, type FelixConfig } from './felix-config.ts';
import { startLines, stopLines } from './felix-log.ts';
import { felixAcceptsKernel } from './kernel-gate.ts';
import {
  felixOf,
  kernelOf,
  type LogLine,
  type NodeMemory,
  proxyOf,
  setFelix,
  setKernel,
  setProxy,
} from './node-memory.ts';
import { podRequests } from './pod-requests.ts';

/** Kinds that agents read. */
export const agentKinds = ['nodes', 'pods', 'configMaps', 'services', 'endpointSlices', 'felixConfigurations'] as const;

export type NodeAgentsOptions = {
  cache: Pick<ClusterCache, (typeof agentKinds)[number]>;
  memory: NodeMemory;
  clock: Clock;
  timings: Timings;
  /** Requests another turn of this pod's agent. */
  again(podKey: string, delayMs: number): void;
  /** Called when Services may have begun or stopped to work on a node. */
  servicesChanged(node: string): void;
  /** Called when the agent of a pod starts for the first time, with its release. */
  began(version: string): void;
};

/** The processes on the nodes that handle Services: Felix in calico-node, and kube-proxy. Both write to their node's kernel. */
export class NodeAgents {
  readonly #options: NodeAgentsOptions;
  /** The time at which a waiting process continues, by pod UID. */
  readonly #due = new Map<string, number>();

  constructor(options: NodeAgentsOptions) {
    this.#options = options;
  }

  turn(podKey: string): void {
    const pod = this.#options.cache.pods.get(podKey)?.shape;
    if (!pod) return;
    if (isAgent(pod)) this.#felixTurn(podKey, pod);
    if (isProxy(pod)) this.#proxyTurn(podKey, pod);
  }

  /** Whether ClusterIPs lead anywhere on this node. */
  hasServices(node: string): boolean {
    const kernel = kernelOf(this.#options.memory, node);
    return kernel === null || kernel.proxyRules || kernel.ipvs || kernel.bpf;
  }

  #felixTurn(podKey: string, pod: PodShape): void {
    const { memory, clock, timings } = this.#options;
    const container = runningContainer(pod, names.nodeContainer);
    if (!container) return;
    const { uid } = pod.metadata;
    const process = felixOf(memory, uid);
    const config = this.#configOf(pod);
    if (!process || process.containerID !== container.id) {
      this.#startFelix(pod, config, container.id, container.startedAt);
      return;
    }
    if (process.running && process.config === config.fingerprint) return;
    if (process.running) {
      this.#log(pod, stopLines(config.severity, clock.now(), pidOf(pod, process.starts)));
      setFelix(memory, uid, { ...process, running: false });
    }
    if (this.#waits(podKey, uid, numberBetween(timings.felixRestartMs, pod.spec.nodeName ?? '', 'felix'))) return;
    this.#startFelix(pod, config, container.id, clock.now());
  }

  #startFelix(pod: PodShape, config: FelixConfig, containerID: string, at: number): void {
    const { memory, cache } = this.#options;
    const { uid } = pod.metadata;
    const node = pod.spec.nodeName ?? '';
    const info = cache.nodes.get(`/${node}`)?.shape.status.nodeInfo;
    const accepted =
      markOn(this.#options.cache, node, agentMark) !== 'refuses' &&
      felixAcceptsKernel(info?.kernelVersion ?? '', info?.osImage ?? '');
    const outcome = !config.bpfEnabled ? 'standard' : accepted ? 'BPF' : 'refused';
    const starts = (felixOf(memory, uid)?.starts ?? 0) + 1;
    const cleans = outcome === 'BPF' && config.cleansProxyRules;
    const version = versionOf(pod);
    this.#log(pod, startLines(config, outcome, version, at, pidOf(pod, starts)));
    if (starts === 1 && version.startsWith('v')) this.#options.began(version);
    setFelix(memory, uid, {
      containerID,
      config: config.fingerprint,
      mode: outcome === 'BPF' ? 'BPF' : config.nftables ? 'Nftables' : 'Iptables',
      cleans,
      starts,
      running: true,
    });
    setKernel(memory, node, { bpf: outcome === 'BPF', ...(cleans ? { proxyRules: false } : {}) });
    this.#options.servicesChanged(node);
    for (const each of this.#podsOn(node)) if (isProxy(each)) this.#options.again(keyOf(each), 0);
  }

  /** kube-proxy writes its rules after its first synchronisation, and again once nobody deletes them any more. */
  #proxyTurn(podKey: string, pod: PodShape): void {
    const { memory, timings, clock } = this.#options;
    const node = pod.spec.nodeName ?? '';
    const { uid } = pod.metadata;
    const container = runningContainer(pod, names.kubeProxyDaemonSet);
    if (!container) return;
    const known = proxyOf(memory, uid);
    if (markOn(this.#options.cache, node, proxyMark) === 'silent') return;
    // The mode is read once, at start; a change of the ConfigMap needs a restart.
    const process = known ?? { mode: this.#proxyMode(), syncedAt: null };
    if (!known) setProxy(memory, uid, process);
    const writes = process.mode === 'ipvs' ? 'ipvs' : 'proxyRules';
    const cleaned = this.#podsOn(node).some((each) => isAgent(each) && felixOf(memory, each.metadata.uid)?.cleans);
    const lacksRules = !(cleaned && writes === 'proxyRules') && !kernelOf(memory, node)?.[writes];
    if (process.syncedAt !== null && !lacksRules) return;
    // A pod that a sample shows as running for hours has already synchronised.
    const foundRunning = !known && clock.now() - container.startedAt > timings.proxySyncMs;
    if (!foundRunning && this.#waits(podKey, uid, timings.proxySyncMs)) return;
    setProxy(memory, uid, {
      ...process,
      syncedAt: foundRunning ? container.startedAt + timings.proxySyncMs : clock.now(),
    });
    if (!lacksRules) return;
    setKernel(memory, node, { [writes]: true });
    this.#options.servicesChanged(node);
  }

  /** True during the wait, which the first call starts. */
  #waits(podKey: string, uid: string, ms: number): boolean {
    const now = this.#options.clock.now();
    const due = this.#due.get(uid);
    if (due !== undefined && now >= due) {
      this.#due.delete(uid);
      return false;
    }
    if (due === undefined) this.#due.set(uid, now + ms);
    this.#options.again(podKey, (due ?? now + ms) - now);
    return true;
  }

  #configOf(pod: PodShape): FelixConfig {
    const container = pod.spec.containers.find(({ name }) => name === names.nodeContainer);
    const env = Object.fromEntries((container?.env ?? []).flatMap(({ name, value }) => (value ? [[name, value]] : [])));
    const configurations = this.#options.cache.felixConfigurations.all().map(({ object }) => object);
    return effectiveFelixConfig(configurations, pod.spec.nodeName ?? '', env);
  }

  #log(pod: PodShape, lines: readonly LogLine[]): void {
    if (markOn(this.#options.cache, pod.spec.nodeName ?? '', agentMark) === 'silent') return;
    this.#options.memory.append(pod.metadata.uid, lines);
  }

  #podsOn(node: string): PodShape[] {
    return this.#options.cache.pods.inGroup('node', node).map(({ shape }) => shape);
  }

  #proxyMode(): string {
    const data = this.#options.cache.configMaps.get('kube-system/kube-proxy')?.object.data;
    const config =
      typeof data === 'object' && data !== null && 'config.conf' in data ? String(data['config.conf']) : '';
    return /^mode:\s*"?([a-z]*)"?\s*$/m.exec(config)?.[1] || 'iptables';
  }

  handlers(): PodHandlers {
    const { cache, memory, clock } = this.#options;
    return podRequests({ cache, memory, clock, turn: (podKey) => this.turn(podKey) });
  }
}

function versionOf(pod: PodShape): string {
  const image = pod.spec.containers.find(({ name }) => name === names.nodeContainer)?.image ?? '';
  return /:([^:/]+)$/.exec(image)?.[1] ?? 'unknown';
}

/** Each start has a new pid. */
function pidOf(pod: PodShape, starts: number): number {
  return 60 + Math.floor(fraction(pod.metadata.name, 'pid') * 40) + starts * 613;
}

const keyOf = (pod: PodShape): string => `${pod.metadata.namespace}/${pod.metadata.name}`;
