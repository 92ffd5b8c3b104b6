import { isDeepStrictEqual } from 'node:util';
import { backOffMs } from '#lib/base/async/back-off.ts';
import { type Clock, installationOf, type Kube, type KubeObject, nodeOfFelix } from '#lib/kube/index.ts';
import {
  type AgentPod,
  agentPod,
  agentsAtOnce,
  type ClusterSeen,
  isSwitching,
  type LogReading,
  type NodeObservation,
  newestAgent,
  observe,
  type Plane,
  readAgent,
  type SeenNode,
  seenNode,
  toShow,
  verdict,
} from '#lib/node-state/index.ts';
import { lineOf, type NodeLine } from './node-line.ts';

type Known = {
  node: SeenNode;
  line: NodeLine;
  before: Plane | null;
  log: LogReading;
  /** The agent's container and the latest change of its configuration, for which `log` was read. */
  logKey: string;
  /** Reads in a row that decided nothing. */
  undecided: number;
};

/** When to read an undecided node again: a moving one within seconds, an unknown one up to 10 minutes later, because there may be 5,000 of them. */
function lookAgainIn(plane: NodeLine['plane'], looks: number): number {
  return backOffMs(looks, { firstMs: 2_000, mostMs: plane === 'moving' ? 15_000 : 600_000, least: 1 }, Math.random);
}

const serverAwayMs = 5_000;

/**
 * The line of every node, kept up to date from the watches: an event of a node updates only that node, a change of the configuration all of them.
 * Agents' logs are read in the background. Agents that restarted come before those that were never read.
 */
export class NodeLines {
  private readonly kube: Kube;
  private readonly clock: Clock;
  private readonly pace: Clock;
  private readonly signal: AbortSignal;
  private readonly moved: () => void;
  private readonly nodes = new Map<string, Known>();
  /** By node: its agents by UID. During a rollout there may be two; the newest counts. */
  private readonly agents = new Map<string, Map<string, AgentPod>>();
  private readonly nodeOfAgent = new Map<string, string>();
  private readonly configurations = new Map<string, KubeObject>();
  private daemonSet: KubeObject | null = null;
  private wanted: Plane | null = null;

  private readonly dirty = new Set<string>();
  /** Nodes with a new verdict since the last `take`. */
  private readonly changed = new Set<string>();
  private readonly gone = new Set<string>();
  private readonly urgent: string[] = [];
  private readonly queue: string[] = [];
  private readonly queued = new Set<string>();
  private reading = 0;

  constructor(options: { kube: Kube; clock: Clock; pace: Clock; signal: AbortSignal; moved(): void }) {
    this.kube = options.kube;
    this.clock = options.clock;
    this.pace = options.pace;
    this.signal = options.signal;
    this.moved = options.moved;
  }

  setNodes(objects: readonly KubeObject[]): void {
    const named = new Set<string>();
    for (const object of objects) {
      this.setNode(object);
      named.add(object.metadata.name ?? '');
    }
    for (const name of this.nodes.keys()) if (!named.has(name)) this.dropNode(name);
  }

  setNode(object: KubeObject): void {
    const node = seenNode(object);
    if (!node) return;
    const known = this.nodes.get(node.name);
    if (known) known.node = node;
    else {
      const line: NodeLine = { name: node.name, plane: 'unknown', ready: node.ready, because: '' };
      this.nodes.set(node.name, { node, line, before: null, log: { kind: 'not-read' }, logKey: '', undecided: 0 });
    }
    this.gone.delete(node.name);
    this.touch(node.name);
  }

  dropNode(name: string): void {
    if (!this.nodes.delete(name)) return;
    this.dirty.delete(name);
    this.changed.delete(name);
    this.gone.add(name);
    this.moved();
  }

  setAgents(from: string, objects: readonly KubeObject[]): void {
    const uids = new Set(objects.map(({ metadata }) => metadata.uid ?? ''));
    for (const [uid, node] of [...this.nodeOfAgent]) {
      if (uids.has(uid) || this.agents.get(node)?.get(uid)?.namespace !== from) continue;
      this.dropAgent(uid);
    }
    for (const object of objects) this.setAgent(object);
  }

  setAgent(object: KubeObject): void {
    const pod = agentPod(object);
    if (pod === null) return;
    const { node, agent } = pod;
    const onNode = this.agents.get(node) ?? new Map<string, AgentPod>();
    onNode.set(agent.uid, agent);
    this.agents.set(node, onNode);
    this.nodeOfAgent.set(agent.uid, node);
    this.touch(node);
  }

  dropAgent(uid: string): void {
    const node = this.nodeOfAgent.get(uid);
    if (node === undefined) return;
    this.nodeOfAgent.delete(uid);
    const onNode = this.agents.get(node);
    onNode?.delete(uid);
    if (onNode?.size === 0) this.agents.delete(node);
    this.touch(node);
  }

  /** The agents' DaemonSet: it decides on which nodes they can be scheduled, and at which severity they log. */
  setDaemonSet(object: KubeObject | null): void {
    this.daemonSet = object;
    this.touchAll();
  }

  setInstallation(object: KubeObject | null): void {
    const wanted = installationOf(object).spec.calicoNetwork.linuxDataplane;
    this.wanted = object === null ? null : wanted === 'BPF' ? 'bpf' : 'standard';
    this.touchAll();
  }

  setFelix(name: string, object: KubeObject | null): void {
    if (object) this.configurations.set(name, object);
    else this.configurations.delete(name);
    const node = nodeOfFelix(name);
    if (node === null) this.touchAll();
    else this.touch(node);
  }

  /** The lines that changed since the last call. Only nodes with an event get a new verdict. */
  take(): { changed: NodeLine[]; gone: string[] } {
    this.judgeDirty();
    const changed = [...this.changed].flatMap((name) => this.nodes.get(name)?.line ?? []);
    this.changed.clear();
    const gone = [...this.gone];
    this.gone.clear();
    return { changed, gone };
  }

  all(): NodeLine[] {
    return Array.from(this.nodes.values(), ({ line }) => line);
  }

  /** Reads the logs of moving nodes at once, before the queue. False: no node is moving, and no log is being read. */
  lookAgain(): boolean {
    this.judgeDirty();
    const moving = [...this.nodes.values()].filter(({ line }) => line.plane === 'moving');
    for (const { node } of moving) if (this.agentOn(node.name)?.ready) this.read(node.name, 'soon');
    return moving.length > 0 || this.isReading;
  }

  /** Whether a log is being read. Takes the latest events into account, so that an agent that has just restarted counts. */
  isLooking(): boolean {
    this.judgeDirty();
    return this.isReading;
  }

  private get isReading(): boolean {
    return this.reading > 0 || this.urgent.length > 0;
  }

  private judgeDirty(): void {
    for (const name of this.dirty) {
      const known = this.nodes.get(name);
      if (!known) continue;
      const line = this.lineFor(known);
      if (isDeepStrictEqual(line, known.line)) continue;
      known.line = line;
      this.changed.add(name);
    }
    this.dirty.clear();
  }

  private touch(name: string): void {
    if (!this.nodes.has(name)) return;
    this.dirty.add(name);
    this.moved();
  }

  private touchAll(): void {
    for (const name of this.nodes.keys()) this.dirty.add(name);
    this.moved();
  }

  private lineFor(known: Known): NodeLine {
    const { node } = known;
    const agent = this.agentOn(node.name);
    const since = this.observed(known).felix.since;
    const logKey = agent ? `${agent.uid}/${agent.startedAt}/${since}` : '';
    if (logKey !== known.logKey) {
      const isFirst = known.logKey === '';
      known.logKey = logKey;
      known.log = { kind: 'not-read' };
      known.undecided = 0;
      if (agent?.ready && node.apart === null) this.read(node.name, isFirst ? 'in turn' : 'soon');
    } else if (agent?.ready && known.log.kind === 'not-read' && node.apart === null) this.read(node.name, 'in turn');
    const nodeVerdict = verdict(this.observed(known), this.clock.now());
    if (nodeVerdict.seen !== null) known.before = nodeVerdict.seen.plane;
    return lineOf(node, nodeVerdict);
  }

  private observed({ node, log, before }: Known): NodeObservation {
    return observe({ node, agent: this.agentOn(node.name), log, before }, this.cluster());
  }

  private cluster(): ClusterSeen {
    const { daemonSet, configurations, wanted: installationPlane } = this;
    return { daemonSet, configurations, installationPlane };
  }

  private agentOn(node: string): AgentPod | null {
    return newestAgent(this.agents.get(node)?.values() ?? []);
  }

  private read(node: string, when: 'soon' | 'in turn'): void {
    if (this.queued.has(node) && when === 'in turn') return;
    this.queued.add(node);
    (when === 'soon' ? this.urgent : this.queue).push(node);
    this.readOn();
  }

  private readOn(): void {
    while (this.reading < agentsAtOnce && !this.signal.aborted) {
      const node = this.urgent.shift() ?? this.queue.shift();
      if (node === undefined) return;
      if (!this.queued.delete(node)) continue;
      this.reading++;
      this.readNode(node)
        // Only errors about the API server arrive here. The next event of the node reads again, or this timer.
        .catch(() => this.again(node, serverAwayMs))
        .finally(() => {
          this.reading--;
          this.readOn();
          if (!this.isReading) this.moved();
        });
    }
  }

  private async readNode(name: string): Promise<void> {
    const known = this.nodes.get(name);
    const agent = known && this.agentOn(name);
    if (!known || !agent?.ready) return;
    const { logKey } = known;
    const log = await readAgent(this.kube, agent, this.observed(known).felix.since, toShow, this.signal);
    if (this.signal.aborted || this.nodes.get(name) !== known || known.logKey !== logKey) return;
    known.log = log;
    this.touch(name);
    const observed = this.observed(known);
    const { plane, seen } = verdict(observed, this.clock.now());
    const isSettled =
      (plane === 'bpf' || plane === 'standard') && !isSwitching({ ...observed, before: seen?.plane ?? known.before });
    if (isSettled || plane === 'fell-back') known.undecided = 0;
    else this.again(name, lookAgainIn(plane, known.undecided++));
  }

  private again(name: string, ms: number): void {
    this.pace
      .sleep(ms, this.signal)
      .then(() => {
        if (this.nodes.has(name)) this.read(name, 'soon');
      })
      .catch(() => {});
  }
}
