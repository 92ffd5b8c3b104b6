import type { RunMemory } from '#lib/run/index.ts';
import { type JournalNamespaces, journalNamespaces } from '#lib/spec/index.ts';
import type { ClusterView, FlowsView, RunView } from '../wire.ts';
import type { ClusterAccess } from './access.ts';
import { ClusterFeed } from './cluster-feed.ts';
import { eventStream, type Followed, lastWords } from './event-stream.ts';
import { firstView } from './first-view.ts';
import { FlowFeed } from './flow-feed.ts';
import type { FlowHistories } from './flow-histories.ts';
import { RunFeed } from './run-feed.ts';
import { type RunPublisher, runPublisher } from './run-publisher.ts';
import { type JoinedFeed, SharedFeeds } from './shared-feeds.ts';

export type LiveOptions = {
  /** Opens a cluster, or shares it. Rejects with a KubeError, or any error with a `code` and a sentence. */
  acquire(slug: string): Promise<ClusterAccess>;
  /** Tells runs of this installation from foreign ones. */
  memory: RunMemory;
  /** Namespaces of journals; default: the usual ones. */
  journalNamespaces?: JournalNamespaces;
  log?(line: string, cause?: unknown): void;
  /** Where flows are kept; absent: nowhere. */
  histories?: FlowHistories;
  /** Largest number of streams, over all browsers. A stream beyond it gets an event that says so, and ends. */
  streams?: number;
  /** How long a feed stays open without followers, so that a reloaded page finds it ready. */
  lingerMs?: number;
  /** Wall clock; revisions come from it. */
  now?(): number;
};

export type Live = {
  runPublisher(slug: string): RunPublisher;
  /** Rejects with a KubeError if the cluster does not answer. */
  clusterView(slug: string, signal?: AbortSignal): Promise<ClusterView>;
  /** Rejects with `not-found` and `protocol` as `readRun` does. */
  runView(slug: string, run: string, signal?: AbortSignal): Promise<RunView>;
  /** Rejects with a FlowError if the cluster has no flow logs. */
  flowsView(slug: string, signal?: AbortSignal): Promise<FlowsView>;
  flowEvents(slug: string, lastEventId: string | null, signal: AbortSignal): ReadableStream<Uint8Array>;
  /** Records flows from now on, and some minutes back, as if somebody looked, if they are kept. */
  recordFlows(slug: string): void;
  clusterEvents(slug: string, lastEventId: string | null, signal: AbortSignal): ReadableStream<Uint8Array>;
  runEvents(slug: string, run: string, lastEventId: string | null, signal: AbortSignal): ReadableStream<Uint8Array>;
  /** Follows a feed that somebody else fills. */
  events(feed: Followed, lastEventId: string | null, signal: AbortSignal): ReadableStream<Uint8Array>;
  /** Ends every stream and watch; resolves when all clusters are released. */
  close(): Promise<void>;
};

/** Everything that the console shows live: one feed for each cluster and each run, shared by all who look (architecture.md › Streams). */
export function makeLive(options: LiveOptions): Live {
  const {
    acquire,
    memory,
    journalNamespaces: namespaces = journalNamespaces,
    log = () => {},
    histories,
    streams = 64,
    lingerMs = 60_000,
    now = Date.now,
  } = options;
  const runs = new SharedFeeds<RunFeed>({ acquire, lingerMs });
  const clusters = new SharedFeeds<ClusterFeed>({ acquire, lingerMs });
  const flows = new SharedFeeds<FlowFeed>({ acquire, lingerMs });
  let open = 0;

  const joinCluster = (slug: string) =>
    clusters.join(slug, '', () => new ClusterFeed({ journalNamespaces: namespaces, memory }, now(), log));
  // Clusters whose flows are kept stay followed from the first look on, even when nobody looks.
  const followedOn = new Map<string, () => void>();
  const followOn = async (slug: string) => {
    if (followedOn.has(slug) || !(await histories?.isKept(slug)) || followedOn.has(slug)) return;
    followedOn.set(slug, joinFlows(slug).leave);
  };
  const letGo = (slug: string) => {
    followedOn.get(slug)?.();
    followedOn.delete(slug);
  };
  const joinFlows = (slug: string): JoinedFeed<FlowFeed> =>
    flows.join(
      slug,
      '',
      () =>
        new FlowFeed(
          now(),
          log,
          async (kube) => (await histories?.of(slug, kube)) ?? null,
          (reach) => {
            if (reach === 'refused') letGo(slug);
            else followOn(slug).catch((error: unknown) => log(`following flows of ${slug} on`, error));
          },
        ),
    );
  const joinRun = (slug: string, run: string) =>
    runs.join(
      slug,
      run,
      () => new RunFeed({ run, journalNamespaces: namespaces, memory }, now(), () => joinCluster(slug)),
    );

  function stream(join: () => JoinedFeed<{ feed: Followed }>, lastEventId: string | null, signal: AbortSignal) {
    if (open >= streams)
      return lastWords('streams.too-many', `This console already has ${open} live pages open. Close some of them.`);
    open++;
    const { of, leave } = join();
    return eventStream(of.feed, lastEventId, signal, () => {
      open--;
      leave();
    });
  }

  return {
    runPublisher: (slug) => runPublisher((run) => joinRun(slug, run), log),
    clusterView: (slug, signal) => firstView(joinCluster(slug), signal),
    runView: (slug, run, signal) => firstView(joinRun(slug, run), signal),
    flowsView: (slug, signal) => firstView(joinFlows(slug), signal),
    recordFlows: (slug) => joinFlows(slug).leave(),
    flowEvents: (slug, lastEventId, signal) => stream(() => joinFlows(slug), lastEventId, signal),
    clusterEvents: (slug, lastEventId, signal) => stream(() => joinCluster(slug), lastEventId, signal),
    runEvents: (slug, run, lastEventId, signal) => stream(() => joinRun(slug, run), lastEventId, signal),
    events: (feed, lastEventId, signal) =>
      stream(() => ({ of: { feed }, leave: () => undefined }), lastEventId, signal),
    close: async () => {
      await Promise.all([runs.close(), clusters.close(), flows.close()]);
      await histories?.close();
    },
  };
}
