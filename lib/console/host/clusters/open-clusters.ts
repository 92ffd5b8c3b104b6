import { type Clock, connect, isKubeError, type Kube, KubeError, systemClock } from '#lib/kube/index.ts';
import { joinSandbox, openSandbox } from '#lib/sandbox/index.ts';
import type { FlagsByProgram } from '#lib/text/index.ts';
import { withKeptMeasurement } from '#lib/usecases/index.ts';
import type { ClusterEntry, Slug } from '../../host.ts';
import { flagsOfEntry } from '../../wizard/flags-of-entry.ts';
import type { HostLog } from '../host-log.ts';
import { Refused } from '../refused.ts';
import type { Catalogue } from './cluster-catalogue.ts';

/** A cluster in use. Call `release` as soon as you are done: a cluster that nobody uses is closed after a while. */
export type UsedCluster = {
  slug: Slug;
  kind: ClusterEntry['kind'];
  name: string;
  kube: Kube;
  clock: Clock;
  /** How commands name the cluster. */
  flags: FlagsByProgram;
  /** How other processes reach a sandbox; null for other clusters. */
  served: ServedToOthers | null;
  release(): void;
};

/**
 * How other processes of this machine reach a sandbox. `kubeconfig` serves it and returns the path of its kubeconfig. `closed` aborts when the
 * sandbox is closed.
 */
type ServedToOthers = { kubeconfig(): Promise<string>; closed: AbortSignal };

export type OpenClusters = {
  /** Opens the cluster, or shares it if it is open. Throws Refused or KubeError. */
  acquire(slug: Slug): Promise<UsedCluster>;
  using<T>(slug: Slug, work: (cluster: UsedCluster) => Promise<T>): Promise<T>;
  /**
   * Closes the cluster, also while others use it, does the work, and lets it be opened again. Streams that follow the cluster end; they reopen it
   * after the work.
   */
  whileClosed(slug: Slug, work: () => Promise<unknown>): Promise<void>;
  isOpen(slug: Slug): boolean;
  close(): Promise<void>;
};

export type OpenClustersOptions = {
  catalogue: Catalogue;
  env: NodeJS.ProcessEnv;
  kubeconfig: string | undefined;
  stateFolder: string;
  /** `instant`: for tests. */
  sandboxSpeed: 'normal' | 'instant';
  /** Replaces `connect`, for tests. */
  openLive: ((entry: ClusterEntry) => Promise<OpenedCluster>) | undefined;
  /** How long an unused cluster stays open, in ms. */
  idleMs: number;
  log: HostLog;
};

export type OpenedCluster = { kube: Kube; clock: Clock; served?: ServedToOthers; close(): Promise<void> };
type Slot = {
  opened: Promise<OpenedCluster>;
  users: number;
  server: string | null;
  idle: NodeJS.Timeout | null;
  broken: boolean;
  closed: Promise<void> | null;
};

/**
 * The open clusters, one for each slug, shared by streams, pages and runs. Time passes in a sandbox only while it is open, and only one process can
 * open it: an unused one is closed after a while, so that the command line can open it.
 */
export function openClusters(options: OpenClustersOptions): OpenClusters {
  const { catalogue, log, idleMs } = options;
  const slots = new Map<Slug, Slot>();
  const closing = new Map<Slug, Promise<void>>();

  const retire = (slug: Slug, slot: Slot): Promise<void> => {
    if (slot.idle) clearTimeout(slot.idle);
    if (slots.get(slug) === slot) slots.delete(slug);
    slot.closed ??= closeOnce(slug, slot);
    return slot.closed;
  };

  const closeOnce = (slug: Slug, slot: Slot): Promise<void> => {
    const closed = slot.opened
      .then((opened) => opened.close())
      .catch((error: unknown) => log(`closing ${slug}`, error))
      .finally(() => {
        if (closing.get(slug) === closed) closing.delete(slug);
      });
    closing.set(slug, closed);
    return closed;
  };

  const release = (slug: Slug, slot: Slot): void => {
    slot.users--;
    if (slot.users > 0) return;
    if (slots.get(slug) !== slot) {
      void retire(slug, slot);
      return;
    }
    slot.idle = setTimeout(() => void retire(slug, slot), idleMs);
    slot.idle.unref();
  };

  const open = async (entry: ClusterEntry, slot: () => Slot | undefined): Promise<OpenedCluster> => {
    await closing.get(entry.slug);
    if (entry.kind !== 'sandbox') {
      const { kubeconfig, env, openLive } = options;
      if (openLive) return openLive(entry);
      const live = await connect({ kubeconfig, context: entry.name, env });
      const kube = withKeptMeasurement(live, options.stateFolder, systemClock);
      return { kube, clock: systemClock, close: () => kube.close() };
    }
    // The sandbox's nodes and operator have stopped: the next user must open it again instead of sharing it.
    const markBroken = () => {
      const own = slot();
      if (own) own.broken = true;
    };
    const sandbox = await openSandbox(entry.name, {
      speed: options.sandboxSpeed,
      state: options.stateFolder,
      log: (line, cause) => {
        log(`${entry.slug}: ${line}`, cause);
        if (line.startsWith(`sandbox ${entry.name} stopped moving`)) markBroken();
      },
    }).catch((error: unknown) => {
      if (isKubeError(error, 'conflict')) return error;
      throw error;
    });
    if (sandbox instanceof Error) {
      const joined = await joinSandbox(options.stateFolder, entry.name);
      if (joined === null) throw new Refused('sandbox.in-use', sandbox.message);
      const { kube, kubeconfig, disconnected, close } = joined;
      disconnected.addEventListener('abort', markBroken);
      return { kube, clock: systemClock, served: { kubeconfig: async () => kubeconfig, closed: disconnected }, close };
    }
    const closed = new AbortController();
    return {
      kube: endingWith(sandbox.kube, closed.signal),
      clock: sandbox.clock,
      served: { kubeconfig: async () => (await sandbox.serve()).kubeconfig, closed: closed.signal },
      close: async () => {
        closed.abort(new KubeError('aborted', `Sandbox "${entry.name}" was closed.`));
        await sandbox.close();
      },
    };
  };

  const slotFor = (entry: ClusterEntry): Slot => {
    const { slug, server } = entry;
    const known = slots.get(slug);
    if (known && !known.broken && known.server === server) return known;
    // Its users keep the old connection until they are done, and the last one closes it. A sandbox cannot be open twice, so that one is closed at once.
    if (known && (known.users === 0 || entry.kind === 'sandbox')) void retire(slug, known);
    let own: Slot | undefined;
    const slot: Slot = { opened: open(entry, () => own), users: 0, server, idle: null, broken: false, closed: null };
    own = slot;
    slot.opened.catch(() => {
      if (slots.get(slug) === slot) slots.delete(slug);
    });
    slots.set(slug, slot);
    return slot;
  };

  const acquire = async (slug: Slug): Promise<UsedCluster> => {
    const entry = await catalogue.find(slug);
    if (entry.problem !== null) throw new Refused('cluster.broken', entry.problem);
    const slot = slotFor(entry);
    if (slot.idle) clearTimeout(slot.idle);
    slot.idle = null;
    slot.users++;
    let held = true;
    const once = () => {
      if (held) release(slug, slot);
      held = false;
    };
    try {
      const { kube, clock, served = null } = await slot.opened;
      return {
        slug,
        kind: entry.kind,
        name: entry.name,
        kube,
        clock,
        flags: flagsOfEntry(entry),
        served,
        release: once,
      };
    } catch (error) {
      slot.users--;
      throw error;
    }
  };

  return {
    acquire,
    using: async (slug, work) => {
      const cluster = await acquire(slug);
      try {
        return await work(cluster);
      } finally {
        cluster.release();
      }
    },
    whileClosed: (slug, work) => {
      const slot = slots.get(slug);
      if (slot) void retire(slug, slot);
      const worked = (closing.get(slug) ?? Promise.resolve()).then(async () => {
        await work();
      });
      // Whoever opens the cluster meanwhile waits for the work to end, even if it fails.
      const settled = worked
        .catch(() => undefined)
        .finally(() => {
          if (closing.get(slug) === settled) closing.delete(slug);
        });
      closing.set(slug, settled);
      return worked;
    },
    isOpen: (slug) => slots.has(slug),
    close: async () => {
      await Promise.all([...slots].map(([slug, slot]) => retire(slug, slot)));
      await Promise.all(closing.values());
    },
  };
}

/** Makes calls fail once the sandbox is closed. Its store is in memory and would go on answering with a state that nobody else sees. */
function endingWith(kube: Kube, closed: AbortSignal): Kube {
  const orClosed = <O extends { signal?: AbortSignal }>(options: O | undefined) => {
    if (closed.aborted) throw closed.reason;
    return { ...options, signal: options?.signal ? AbortSignal.any([options.signal, closed]) : closed };
  };
  return { ...kube, watch: (resource, options) => kube.watch(resource, orClosed(options)) };
}
