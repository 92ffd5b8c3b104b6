import { clusterUidOf } from '#lib/plan/index.ts';
import type { MissingRule } from '#lib/spec/index.ts';
import { visibleData } from '#lib/text/index.ts';
import {
  leftBy,
  missingForProbe,
  offeredProbe,
  type PreparedProbe,
  preflight,
  prepareProbe,
} from '#lib/usecases/index.ts';
import { foldPreflight } from '../fold/fold-preflight.ts';
import type { Assessment, Draft, PreflightState, Slug } from '../host.ts';
import { Feed } from '../streams/index.ts';
import type { PreflightEvent, PreflightView } from '../wire.ts';
import type { OpenClusters } from './clusters/open-clusters.ts';
import { keptForAWhile } from './drafts/kept-for-a-while.ts';
import { failureOf } from './failures.ts';
import type { HostLog } from './host-log.ts';
import { Refused } from './refused.ts';

type PreflightFeed = Feed<PreflightView, PreflightEvent>;
type Prepared = { readonly cluster: Slug; readonly clusterUid: string | null; readonly prepared: PreparedProbe };

export type Preflights = {
  /** Throws KubeError. */
  state(draft: Draft): Promise<PreflightState>;
  /** Starts a test; it goes on by itself and the feed tells its end. Throws Refused. */
  start(cluster: Slug, digest: string): void;
  stop(cluster: Slug): void;
  feed(cluster: Slug): PreflightFeed;
  /** Resolves when no test is running. */
  settled(): Promise<void>;
};

/** Number of offers that are kept. Each page has its own; a click on an older one is answered with the current offer. */
const offersKept = 32;
/** How long a page waits for an answer about permissions, in ms. */
const askedForMs = 3_000;

/** Tests of nodes, one at a time for each cluster. A test creates exactly the offer that the user was shown, by its digest. */
export function openPreflights(options: {
  clusters: OpenClusters;
  assess: (draft: Draft) => Promise<Pick<Assessment, 'facts' | 'choices'>>;
  /** Called after a test: what was read of the cluster is out of date. */
  onMeasured: (cluster: Slug) => void;
  stateFolder: string;
  /** Wall clock; revisions come from it. */
  now: () => number;
  /** Monotonic milliseconds. */
  monotonic: () => number;
  signal: AbortSignal;
  log: HostLog;
}): Preflights {
  const { clusters, assess, onMeasured, stateFolder, now, monotonic, signal, log } = options;
  const offers = new Map<string, Prepared>();
  const rights = keptForAWhile<MissingRule | null>(monotonic, offersKept);
  const feeds = new Map<Slug, PreflightFeed>();
  const running = new Map<Slug, { stop: AbortController; over: Promise<void>; prepared: Prepared }>();

  const feed = (cluster: Slug): PreflightFeed => {
    const known = feeds.get(cluster);
    if (known) return known;
    const made: PreflightFeed = new Feed(foldPreflight, now());
    feeds.set(cluster, made);
    return made;
  };

  // Keeps the answer, because pages are rendered often and each rule is a question to the API server. A missing right is asked again: it may have been
  // granted meanwhile.
  const missingFor = async (cluster: Slug, prepared: PreparedProbe): Promise<MissingRule | null> => {
    const key = `${cluster} ${JSON.stringify(prepared.settings.pullSecrets ?? [])}`;
    const missing = await rights.get(key, 'kept', () =>
      clusters.using(cluster, ({ kube }) =>
        missingForProbe(kube, prepared, AbortSignal.any([signal, AbortSignal.timeout(askedForMs)])),
      ),
    );
    if (missing !== null) rights.forget(key);
    return missing;
  };

  const keep = (digest: string, prepared: Prepared): void => {
    offers.set(digest, prepared);
    for (const oldest of offers.keys()) {
      if (offers.size <= offersKept) break;
      offers.delete(oldest);
    }
  };

  const test = async ({ cluster, clusterUid, prepared }: Prepared, until: AbortSignal): Promise<void> => {
    const followed = feed(cluster);
    followed.snapshot((revision) => ({
      revision,
      since: new Date(now()).toISOString(),
      nodes: visibleData(prepared.question.nodes.map(({ name }) => name)),
      reported: [],
      ended: null,
    }));
    const before = new Set<string>();
    const progress = (reported: readonly string[]) => {
      const more = reported.filter((node) => !before.has(node));
      for (const node of more) before.add(node);
      if (more.length > 0) followed.publish(() => ({ event: 'node', data: { reported: visibleData(more) } }));
    };
    const end = (because: string | null, left: string | null) =>
      followed.publish(() => ({
        event: 'ended',
        data: visibleData({ at: new Date(now()).toISOString(), because, left }),
      }));
    try {
      const { left } = await clusters.using(cluster, ({ kube, clock }) =>
        preflight({ kube, clock, clusterUid, prepared, afterwards: 'removed', stateFolder, signal: until, progress }),
      );
      onMeasured(cluster);
      end(null, left);
    } catch (error) {
      const left = leftBy(error);
      if (until.aborted)
        return end(left === null ? 'It was stopped. What it had made is removed.' : 'It was stopped.', left);
      const failure = failureOf(error);
      if (failure === null) log(`preflight ${cluster}: a fault of Signalbox`, error);
      end(failure?.message ?? 'A fault of Signalbox: its log says more.', left);
    }
  };

  return {
    state: async (draft) => {
      const { facts, choices } = await assess(draft);
      const view = feed(draft.cluster).view;
      const prepared = prepareProbe(facts, choices, { image: null, nodes: null, nodeSelector: {} });
      if ('because' in prepared) return { offer: { kind: 'refused', because: prepared.because }, view };
      const offer = offeredProbe(prepared, await missingFor(draft.cluster, prepared));
      if (offer.kind === 'offered')
        keep(offer.digest, { cluster: draft.cluster, clusterUid: clusterUidOf(facts), prepared });
      return { offer, view };
    },
    start: (cluster, digest) => {
      const prepared = offers.get(digest);
      const underWay = running.get(cluster);
      const isSame = underWay === undefined || (prepared !== undefined && areSame(underWay.prepared, prepared));
      if (prepared?.cluster !== cluster || !isSame)
        throw new Refused('preflight.changed', 'The objects to create have changed. Look at them again.');
      if (underWay !== undefined) return;
      const stop = new AbortController();
      const over = test(prepared, AbortSignal.any([signal, stop.signal])).finally(() => running.delete(cluster));
      running.set(cluster, { stop, over, prepared });
    },
    stop: (cluster) => running.get(cluster)?.stop.abort(),
    feed,
    settled: async () => {
      await Promise.all([...running.values()].map(({ over }) => over));
    },
  };
}

/** Whether two offers are the same, except for the random number that marks their packets. */
function areSame({ prepared: one }: Prepared, { prepared: other }: Prepared): boolean {
  const comparable = ({ settings, ...rest }: PreparedProbe) => JSON.stringify([{ ...settings, run: 0 }, rest]);
  return comparable(one) === comparable(other);
}
