import { type Clock, followKind, type KindSink, type Kube, type KubeObject } from '#lib/kube/index.ts';
import {
  agentDaemonSets,
  agentPodsSelector,
  type JournalNamespaces,
  names,
  type Resource,
  resources,
} from '#lib/spec/index.ts';
import { NodeLines } from '../node-lines.ts';
import { isNotInstalled } from '../not-installed.ts';
import { Reachability } from '../reachability.ts';
import type { ClusterChange, ClusterPicture } from './cluster-change.ts';
import { FelixForms, felixForms } from './felix-forms.ts';
import type { Followed, ObjectSink } from './followed.ts';
import { Hold } from './hold.ts';
import { SeenRuns } from './seen-runs.ts';
import { agentsId, SeenStatus } from './seen-status.ts';

export type ClusterWatchOptions = {
  kube: Kube;
  /** The cluster's time. */
  clock: Clock;
  /** Where journals may lie. */
  journalNamespaces: JournalNamespaces;
  signal: AbortSignal;
  /** The wall clock, for batches and retries. */
  pace: Clock;
  /** How long what the API server tells waits for what agents say. */
  heldAtMostMs: number;
};

/** Follows every kind that a picture of a cluster is made of, and tells what changed since it was last taken. */
export class ClusterWatch {
  private readonly o: ClusterWatchOptions;
  private readonly lines: NodeLines;
  private readonly reachability: Reachability;
  private readonly seen: SeenStatus;
  private readonly runs: SeenRuns;
  private readonly felix: FelixForms;
  /** Resolved once FelixConfigurations of the datastore's form are not served. */
  private readonly isFelixV3 = Promise.withResolvers<void>();
  private readonly missing = new Set<string>();
  /** Set once nothing more will come. */
  over: { failure: unknown } | null = null;
  private kubernetes: string | null = null;
  private hasReportedWhole = false;
  private statusMoved = false;
  private runMoved = false;
  private staleMoved = false;
  /** On after the proxy changed: nothing is reported until the nodes were read again. */
  private readonly hold: Hold;
  private felixV3Asked = false;
  private waiting = Promise.withResolvers<void>();

  constructor(options: ClusterWatchOptions) {
    this.o = options;
    const { kube, clock, pace, signal } = options;
    this.lines = new NodeLines({ kube, clock, pace, signal, moved: () => this.wake() });
    this.hold = new Hold(options.heldAtMostMs, pace, signal, () => this.wake());
    this.seen = new SeenStatus({ name: kube.name, clock }, () => {
      this.statusMoved = true;
      this.wake();
    });
    this.runs = new SeenRuns(options.journalNamespaces, () => {
      this.runMoved = true;
      this.wake();
    });
    this.felix = new FelixForms((name, object) => {
      this.lines.setFelix(name, object);
      if (name === names.felixConfiguration) this.seen.keep('felix', object);
    });
    this.reachability = new Reachability(kube, pace, () => {
      this.staleMoved = true;
      this.wake();
    });
  }

  /** Follows until it is `over`; never rejects. */
  async run(): Promise<void> {
    const { kube, pace, signal } = this.o;
    const kinds = this.kinds();
    this.missing.add('version');
    for (const { id } of kinds) this.missing.add(id);
    const stop = new AbortController();
    const both = AbortSignal.any([signal, stop.signal]);
    const follow = ({ id, kind, sink }: Followed) =>
      followKind(kube, kind, this.watched(id, kind.resource, sink), both, pace);
    const running = [
      this.reachability.ask((version) => {
        this.kubernetes = version ?? this.kubernetes;
        if (this.missing.delete('version')) this.wake();
      }, both),
      ...kinds.map(follow),
      this.isFelixV3.promise.then(() => (both.aborted ? undefined : follow(this.felix.in('v3')))),
    ];
    try {
      // A watch that ends by itself means that this connection was closed; so does one that fails for good.
      await Promise.race(running);
      this.over = { failure: null };
    } catch (failure) {
      this.over = { failure };
    } finally {
      stop.abort();
      this.isFelixV3.resolve();
      await Promise.allSettled(running);
      this.wake();
    }
  }

  wake(): void {
    this.waiting.resolve();
  }

  /** Resolves when there may be something to tell. */
  async something(): Promise<void> {
    const { promise, resolve } = this.waiting;
    const end = () => resolve();
    this.o.signal.addEventListener('abort', end, { once: true });
    await promise;
    this.o.signal.removeEventListener('abort', end);
    this.waiting = Promise.withResolvers<void>();
  }

  take(): ClusterChange[] {
    if (!this.hasReportedWhole) {
      // Before the first whole only one thing is reported: that the cluster does not answer.
      if (this.missing.size > 0) return this.takeStale();
      this.lines.take();
      this.hasReportedWhole = true;
      this.statusMoved = false;
      this.runMoved = false;
      this.staleMoved = false;
      return [{ kind: 'whole', picture: this.picture() }];
    }
    if (this.hold.isOn && this.lines.isLooking()) return this.takeStale();
    this.hold.end();
    const nodes = this.lines.take();
    const changes = this.takeStale();
    const isNode = nodes.changed.length + nodes.gone.length > 0;
    if (isNode || this.statusMoved || this.runMoved)
      changes.push({
        kind: 'changed',
        nodes: isNode ? nodes : null,
        status: this.statusMoved ? this.seen.status() : null,
        ...(this.runMoved ? { run: this.runs.current() } : {}),
      });
    this.statusMoved = false;
    this.runMoved = false;
    return changes;
  }

  /**
   * Agents' logs are read later than the proxy's change arrives: a sentence about both would describe nodes as they were before the proxy changed.
   * Both are reported together, or without the agents if they cannot be read in time.
   */
  private holdForNodes(): void {
    if (this.hasReportedWhole && this.lines.lookAgain()) this.hold.begin();
  }

  private takeStale(): ClusterChange[] {
    if (!this.staleMoved) return [];
    this.staleMoved = false;
    return [{ kind: 'stale', stale: this.reachability.now }];
  }

  private picture(): ClusterPicture {
    return {
      kubernetes: this.kubernetes,
      status: this.seen.status(),
      nodes: this.lines.all(),
      run: this.runs.current(),
      stale: this.reachability.now,
    };
  }

  private watched(id: string, resource: Resource, sink: ObjectSink): KindSink {
    const known = () => {
      this.missing.delete(id);
      this.wake();
    };
    return {
      synced: (objects) => {
        this.seen.readable(resource.kind);
        sink.synced(objects);
        known();
      },
      changed: sink.changed,
      deleted: sink.deleted,
      absent: (because) => {
        if (!isNotInstalled(because)) this.seen.unreadable(resource.kind, because.message);
        else if (id === felixForms.datastore.id) this.followFelixV3();
        this.statusMoved = true;
        sink.synced([]);
        known();
      },
      interrupted: (because, retryInMs) => this.reachability.interrupted(id, because, retryInMs),
      heard: () => this.reachability.heard(id),
    };
  }

  private followFelixV3(): void {
    if (this.felixV3Asked) return;
    this.felixV3Asked = true;
    // The first picture waits for it, as for all others.
    if (!this.hasReportedWhole) this.missing.add(felixForms.v3.id);
    this.isFelixV3.resolve();
  }

  private kinds(): Followed[] {
    const { lines } = this;
    const agentPods = (namespace: string) => ({
      id: `pods/${namespace}`,
      kind: { resource: resources.pods, namespace, labelSelector: agentPodsSelector },
      sink: {
        synced: (objects: KubeObject[]) => lines.setAgents(namespace, objects),
        changed: (object: KubeObject) => lines.setAgent(object),
        deleted: ({ metadata }: KubeObject) => lines.dropAgent(metadata.uid ?? ''),
      },
    });
    return [
      this.seen.named('installation', { resource: resources.installations }, names.installation, (object) =>
        lines.setInstallation(object),
      ),
      this.felix.in('datastore'),
      ...agentDaemonSets.map((one) =>
        this.seen.named(agentsId(one), { resource: resources.daemonSets, namespace: one.namespace }, one.name, () =>
          lines.setDaemonSet(this.seen.agents()),
        ),
      ),
      this.seen.named(
        'proxy',
        { resource: resources.daemonSets, namespace: names.systemNamespace },
        names.kubeProxyDaemonSet,
        () => this.holdForNodes(),
      ),
      this.seen.followedComponents(),
      {
        id: 'nodes',
        kind: { resource: resources.nodes },
        sink: {
          synced: (objects) => lines.setNodes(objects),
          changed: (object) => lines.setNode(object),
          deleted: ({ metadata }) => lines.dropNode(metadata.name ?? ''),
        },
      },
      agentPods(names.calicoNamespace),
      agentPods(names.systemNamespace),
      ...this.runs.followed(),
    ];
  }
}
