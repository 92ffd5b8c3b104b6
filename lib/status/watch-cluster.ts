import {
  type Clock,
  type FollowedKind,
  followKind,
  type KindSink,
  type Kube,
  type KubeObject,
  systemClock,
} from '#lib/kube/index.ts';
import { mergedRuns, type RunSummary, runSummaryOf, unfinishedRun } from '#lib/run/index.ts';
import {
  agentDaemonSets,
  agentPodsSelector,
  type JournalNamespaces,
  names,
  type Resource,
  resources,
} from '#lib/spec/index.ts';
import { type ClusterStatus, statusOf } from './cluster-status.ts';
import { Hold } from './hold.ts';
import type { NodeLine } from './node-line.ts';
import { NodeLines } from './node-lines.ts';
import { isNotInstalled } from './not-installed.ts';
import { Reachability, type Stale } from './reachability.ts';

/**
 * A run as a watch tells it. `configMap` holds its journal: whose word that is, only a reader with a memory of its own runs can say (`seenRunToShow`).
 * Null: it was not kept, since another run was told when it was seen.
 */
export type SeenRun = RunSummary & { readonly configMap: KubeObject | null };

/** A cluster as its watches tell it. `run`: the one that has not ended, else the newest. `stale`: since when the API server has not answered. */
export type ClusterPicture = {
  kubernetes: string | null;
  status: ClusterStatus;
  nodes: NodeLine[];
  run: SeenRun | null;
  stale: Stale | null;
};

/** What a watch tells: everything once, then what changed. Null parts have not changed, but for `run`, which is absent then. */
export type ClusterChange =
  | { kind: 'whole'; picture: ClusterPicture }
  | {
      kind: 'changed';
      nodes: { changed: NodeLine[]; gone: string[] } | null;
      status: ClusterStatus | null;
      run?: SeenRun | null;
    }
  | { kind: 'stale'; stale: Stale | null };

export type WatchClusterOptions = {
  kube: Kube;
  /** The cluster's time. */
  clock: Clock;
  /** Where journals may lie. */
  journalNamespaces: JournalNamespaces;
  signal: AbortSignal;
  /** The wall clock, for batches and retries. */
  pace?: Clock;
  /** Events are told together, so that hundreds a second become a few. */
  batchMs?: number;
  /** How long what the API server tells waits for what agents say. */
  heldAtMostMs?: number;
};

/**
 * Follows a cluster: Installation, FelixConfigurations, agents, proxy, TigeraStatuses, nodes, runs. The first change is the whole; it comes as soon as
 * every kind was read or is known not to be had. Ends when aborted, or when the connection is closed; rejects with KubeErrors that waiting cannot fix. A lost API server ends nothing.
 */
export async function* watchCluster(options: WatchClusterOptions): AsyncGenerator<ClusterChange> {
  const { pace = systemClock, batchMs = 60, heldAtMostMs = 2_000, signal } = options;
  const stop = new AbortController();
  const end = () => stop.abort();
  signal.addEventListener('abort', end, { once: true });
  if (signal.aborted) end();
  const watch = new ClusterWatch({ ...options, pace, heldAtMostMs, signal: stop.signal });
  const running = watch.run();
  try {
    while (!stop.signal.aborted) {
      await watch.something();
      if (watch.over?.failure) throw watch.over.failure;
      if (watch.over) return;
      for (const change of watch.take()) yield change;
      await pace.sleep(batchMs, stop.signal).catch(() => {});
    }
  } finally {
    signal.removeEventListener('abort', end);
    end();
    await running;
  }
}

/** One kind that is followed, and who is told of it. */
type Followed = { id: string; kind: FollowedKind; sink: Omit<KindSink, 'absent' | 'interrupted' | 'heard'> };

const felixForms = [
  { id: 'felix', resource: resources.felixConfigurations },
  { id: 'felix of v3', resource: resources.felixConfigurationsV3 },
] as const;

type Resolved = Required<
  Pick<WatchClusterOptions, 'kube' | 'clock' | 'journalNamespaces' | 'signal' | 'pace' | 'heldAtMostMs'>
>;

class ClusterWatch {
  private readonly o: Resolved;
  private readonly lines: NodeLines;
  private readonly reachability: Reachability;
  private readonly objects = new Map<string, KubeObject>();
  private readonly statuses = new Map<string, KubeObject>();
  /** By the namespace that they lie in. */
  private readonly runs = new Map<string, Map<string, RunSummary>>();
  /** Of the run that is told, and of no other: each takes up to 1 MiB, and whoever may write ConfigMaps there may write many. */
  private journal: { readonly of: RunSummary; readonly configMap: KubeObject } | null = null;
  /** By name, in the form of the API's own datastore and in that of Calico's API: the former counts where both are there. */
  private readonly felix = felixForms.map(() => new Map<string, KubeObject>());
  /** Resolved once the former is not served: from some release on the latter is a definition of its own (calico.md §9 › v3 API). */
  private readonly isFelixV3 = Promise.withResolvers<void>();
  private readonly unknown = new Map<string, string>();
  private readonly missing = new Set<string>();
  /** Set once nothing more will come. */
  over: { failure: unknown } | null = null;
  private kubernetes: string | null = null;
  private told = false;
  private statusMoved = false;
  private runMoved = false;
  private staleMoved = false;
  /** The proxy changed: nothing is told until the nodes were looked at again. */
  private readonly hold: Hold;
  private felixV3Asked = false;
  private waiting = Promise.withResolvers<void>();

  constructor(options: Resolved) {
    this.o = options;
    const { kube, clock, pace, signal } = options;
    this.lines = new NodeLines({ kube, clock, pace, signal, moved: () => this.wake() });
    this.hold = new Hold(options.heldAtMostMs, pace, signal, () => this.wake());
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
      this.isFelixV3.promise.then(() => (both.aborted ? undefined : follow(this.felixIn(1)))),
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
    if (!this.told) {
      // Before the first whole there is only one thing to say: that the cluster does not answer.
      if (this.missing.size > 0) return this.takeStale();
      this.lines.take();
      this.told = true;
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
        status: this.statusMoved ? this.status() : null,
        ...(this.runMoved ? { run: this.currentRun() } : {}),
      });
    this.statusMoved = false;
    this.runMoved = false;
    return changes;
  }

  /**
   * What agents say is read later than the proxy is watched: a sentence that puts the two side by side would say of nodes what was so before the
   * proxy changed. Both are told together, or without the agents where they are not read in time.
   */
  private holdForNodes(): void {
    if (this.told && this.lines.lookAgain()) this.hold.begin();
  }

  private takeStale(): ClusterChange[] {
    if (!this.staleMoved) return [];
    this.staleMoved = false;
    return [{ kind: 'stale', stale: this.reachability.now }];
  }

  private picture(): ClusterPicture {
    return {
      kubernetes: this.kubernetes,
      status: this.status(),
      nodes: this.lines.all(),
      run: this.currentRun(),
      stale: this.reachability.now,
    };
  }

  private status(): ClusterStatus {
    const { kube, clock } = this.o;
    const object = (id: string) => this.objects.get(id) ?? null;
    return statusOf({
      cluster: kube.name,
      observedAt: new Date(clock.now()).toISOString(),
      installation: object('installation'),
      felix: object('felix'),
      agents: this.agents(),
      proxy: object('proxy'),
      statuses: [...this.statuses.values()].sort((a, b) => byName(a, b)),
      unknown: [...this.unknown].map(([kind, because]) => ({ kind, because })),
    });
  }

  private agents(): KubeObject | null {
    return agentDaemonSets.map((one) => this.objects.get(agentsId(one))).find((one) => one !== undefined) ?? null;
  }

  private currentRun(): SeenRun | null {
    const run = this.runToTell();
    return run && { ...run, configMap: this.journal?.of === run ? this.journal.configMap : null };
  }

  private runToTell(): RunSummary | null {
    const runs = mergedRuns(
      this.o.journalNamespaces.map((namespace) => [...(this.runs.get(namespace)?.values() ?? [])]),
    );
    return unfinishedRun(runs) ?? runs[0] ?? null;
  }

  private runsIn(namespace: string): Followed {
    const runs = new Map<string, RunSummary>();
    this.runs.set(namespace, runs);
    const seen = new Map<RunSummary, KubeObject>();
    const read = (configMap: KubeObject) => {
      const summary = runSummaryOf(configMap);
      seen.set(summary, configMap);
      return summary;
    };
    return {
      id: `runs in ${namespace}`,
      kind: { resource: resources.configMaps, namespace, labelSelector: names.runLabel },
      sink: this.mapped(runs, read, () => {
        const of = this.runToTell();
        const configMap = of && seen.get(of);
        if (configMap) this.journal = { of, configMap };
        else if (this.journal?.of !== of) this.journal = null;
        seen.clear();
        this.runMoved = true;
      }),
    };
  }

  private watched(id: string, resource: Resource, sink: Omit<KindSink, 'absent' | 'interrupted' | 'heard'>): KindSink {
    const known = () => {
      this.missing.delete(id);
      this.wake();
    };
    return {
      synced: (objects) => {
        if (this.unknown.delete(resource.kind)) this.statusMoved = true;
        sink.synced(objects);
        known();
      },
      changed: sink.changed,
      deleted: sink.deleted,
      absent: (because) => {
        if (!isNotInstalled(because)) this.unknown.set(resource.kind, because.message);
        else if (id === felixForms[0].id) this.followFelixV3();
        this.statusMoved = true;
        sink.synced([]);
        known();
      },
      interrupted: (because, retryInMs) => this.reachability.interrupted(id, because, retryInMs),
      heard: () => this.reachability.heard(id),
    };
  }

  private felixIn(form: 0 | 1): Followed {
    const { id, resource } = felixForms[form];
    const known = this.felix[form] ?? new Map();
    const show = (name: string) => {
      const object = this.felix.map((one) => one.get(name)).find((one) => one !== undefined) ?? null;
      this.lines.setFelix(name, object);
      if (name === names.felixConfiguration) this.keep('felix', object);
    };
    return {
      id,
      kind: { resource },
      sink: {
        synced: (objects) => {
          const before = [...known.keys()];
          known.clear();
          for (const object of objects) known.set(object.metadata.name ?? '', object);
          for (const name of new Set([...before, ...known.keys(), names.felixConfiguration])) show(name);
        },
        changed: (object) => {
          known.set(object.metadata.name ?? '', object);
          show(object.metadata.name ?? '');
        },
        deleted: ({ metadata: { name = '' } }) => {
          known.delete(name);
          show(name);
        },
      },
    };
  }

  private followFelixV3(): void {
    if (this.felixV3Asked) return;
    this.felixV3Asked = true;
    // The first picture waits for it, as for all others.
    if (!this.told) this.missing.add(felixForms[1].id);
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
      this.named('installation', { resource: resources.installations }, names.installation, (object) =>
        lines.setInstallation(object),
      ),
      this.felixIn(0),
      ...agentDaemonSets.map((one) =>
        this.named(agentsId(one), { resource: resources.daemonSets, namespace: one.namespace }, one.name, () =>
          lines.setDaemonSet(this.agents()),
        ),
      ),
      this.named(
        'proxy',
        { resource: resources.daemonSets, namespace: names.systemNamespace },
        names.kubeProxyDaemonSet,
        () => this.holdForNodes(),
      ),
      {
        id: 'statuses',
        kind: { resource: resources.tigeraStatuses },
        sink: this.mapped(
          this.statuses,
          (object) => object,
          () => {
            this.statusMoved = true;
          },
        ),
      },
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
      ...this.o.journalNamespaces.map((namespace) => this.runsIn(namespace)),
    ];
  }

  /** One object by its name; `then` is told after it was kept. */
  private named(id: string, scope: FollowedKind, name: string, then: (object: KubeObject | null) => void = () => {}) {
    const keep = (object: KubeObject | null) => {
      this.keep(id, object);
      then(object);
    };
    return {
      id,
      kind: { ...scope, fieldSelector: `metadata.name=${name}` },
      sink: {
        synced: (objects: KubeObject[]) => keep(objects.find(isNamed(name)) ?? null),
        changed: (object: KubeObject) => keep(object),
        deleted: () => keep(null),
      },
    };
  }

  private keep(id: string, object: KubeObject | null): void {
    if (object) this.objects.set(id, object);
    else this.objects.delete(id);
    this.statusMoved = true;
    this.wake();
  }

  private mapped<T>(into: Map<string, T>, read: (object: KubeObject) => T, moved: () => void) {
    const tell = () => {
      moved();
      this.wake();
    };
    return {
      synced: (objects: KubeObject[]) => {
        into.clear();
        for (const object of objects) into.set(object.metadata.name ?? '', read(object));
        tell();
      },
      changed: (object: KubeObject) => {
        into.set(object.metadata.name ?? '', read(object));
        tell();
      },
      deleted: (object: KubeObject) => {
        into.delete(object.metadata.name ?? '');
        tell();
      },
    };
  }
}

function agentsId({ namespace, name }: (typeof agentDaemonSets)[number]): string {
  return `agents/${namespace}/${name}`;
}

function isNamed(name: string): (object: KubeObject) => boolean {
  return ({ metadata }) => metadata.name === name;
}

function byName(a: KubeObject, b: KubeObject): number {
  return (a.metadata.name ?? '').localeCompare(b.metadata.name ?? '', 'en');
}
