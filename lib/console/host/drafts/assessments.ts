import { ChoiceError, type ChoiceProblem, findingsWithClusterFlags } from '#lib/checks/index.ts';
import type { Access, Facts } from '#lib/facts/index.ts';
import type { Manifests } from '#lib/run/index.ts';
import { type Choices, choicesSchema, proposedRelease, releaseToInstall } from '#lib/spec/index.ts';
import {
  assess,
  factsKey,
  type Prepared,
  preparePlan,
  type ReadForRelease,
  type ReadingCache,
  readFacts,
  releaseWanted,
  type UseCluster,
} from '#lib/usecases/index.ts';
import type { Assessment, ClusterEntry, Freshness, ReleaseStepData, Slug } from '../../host.ts';
import { flagsOfEntry } from '../../wizard/flags-of-entry.ts';
import type { OpenClusters, UsedCluster } from '../clusters/open-clusters.ts';
import { offersFor } from '../releases/offers-for.ts';
import { type ReleaseCache, type WantedContents, wantedContents } from '../releases/release-cache.ts';
import { filesNeeded, releaseCatalogue } from '../releases/release-catalogue.ts';
import { releaseSources } from '../releases/release-sources.ts';
import { keptForAWhile } from './kept-for-a-while.ts';

/** Number of kept readings: those of 5,000 nodes are some ten megabytes each. */
const factsKept = 8;
/** Number of kept permission reviews: some hundred answers each. */
const accessesKept = 32;

export type Assessments = {
  /**
   * Facts and findings under these answers. Acknowledgements and fixes that do not apply change no finding. Opens the release's files only if that
   * connects to nobody.
   */
  assess(cluster: ClusterEntry, choices: Choices, freshness: Freshness): Promise<Assessment>;
  /** The same for the goal that is possible on this cluster: where nothing is installed, nothing can be enabled. */
  assessPossible(cluster: ClusterEntry, freshness: Freshness): Promise<Assessment>;
  /**
   * The same for an upgrade with all proposals, whose files stay unopened: with them, dry runs would be sent to the cluster, and nobody who only looks at
   * it wants these in its audit log.
   */
  assessUpgrade(cluster: ClusterEntry, freshness: Freshness): Promise<Assessment>;
  /** The release that a new draft of these answers proposes, by the last reading. Reads nothing. */
  proposedRelease(cluster: Slug, choices: Choices): string;
  /** The release files that these answers need; null for goals that need none. */
  wanted(cluster: ClusterEntry, choices: Choices): Promise<WantedContents | null>;
  /** The plan from these answers, with its dry runs. Rejects as `preparePlan`. */
  prepare(used: UsedCluster, choices: Choices, freshness: Freshness, manifests: Manifests): Promise<Prepared>;
  /** Throws ChoiceError if the new answers contain an acknowledgement or a fix that does not apply by the last reading. Reads nothing. */
  refuseNewProblems(cluster: ClusterEntry, before: Choices, after: Choices): Promise<void>;
  /** Drops the readings of this cluster: a run has changed it. */
  forget(cluster: Slug): void;
};

/** Which parts of a reading must be new. */
type Age = { readonly facts: Freshness; readonly access: Freshness };

/**
 * Reads clusters and assesses them. Drafts of one cluster share facts if their answers lead to the same reads, and permissions if they have the same
 * goal. Findings are made again each time, which takes milliseconds.
 */
export function assessments(options: {
  clusters: OpenClusters;
  cache: ReleaseCache;
  env: NodeJS.ProcessEnv;
  monotonic: () => number;
  signal: AbortSignal;
}): Assessments {
  const { clusters, cache, env, monotonic, signal } = options;
  const facts = keptForAWhile<Facts>(monotonic, factsKept);
  const accesses = keptForAWhile<Access>(monotonic, accessesKept);
  /** What was read for a release, once for each reading of the cluster. */
  const forReleases = new WeakMap<Facts, Map<string, Promise<ReadForRelease>>>();
  const sources = releaseSources({ cache, env });

  const readBesides: ReadingCache['besides'] = (found, key, read) => {
    const ofFacts = forReleases.get(found) ?? new Map<string, Promise<ReadForRelease>>();
    forReleases.set(found, ofFacts);
    const known = ofFacts.get(key);
    if (known) return known;
    const reading = read();
    ofFacts.set(key, reading);
    reading.catch(() => ofFacts.delete(key));
    return reading;
  };

  const cacheOf = (cluster: Slug, age: Age): ReadingCache => ({
    facts: (key, read) => facts.get(`${cluster} ${key}`, age.facts, read),
    access: (key, read) => accesses.get(`${cluster} ${key}`, age.access, read),
    besides: readBesides,
  });

  /** Returns what was read before, however old. */
  const keptOnly = (cluster: Slug): ReadingCache => ({
    facts: async (key) => facts.peek(`${cluster} ${key}`) ?? notRead(),
    access: async (key) => accesses.peek(`${cluster} ${key}`) ?? notRead(),
    besides: async (found, key) => forReleases.get(found)?.get(key) ?? notRead(),
  });

  const using =
    (cluster: Slug): UseCluster =>
    (work) =>
      clusters.using(cluster, work);

  const factsOf = (cluster: Slug, choices: Choices, freshness: Freshness): Promise<Facts> =>
    readFacts(choices, {
      use: using(cluster),
      cache: cacheOf(cluster, { facts: freshness, access: freshness }),
      signal,
    });

  const wantedOn = (kind: ClusterEntry['kind'], found: Facts, choices: Choices): WantedContents | null => {
    const wanted = releaseWanted(found, choices);
    return wanted && wantedContents(wanted, kind);
  };

  const releaseStepData = (
    kind: ClusterEntry['kind'],
    found: Facts,
    { choices, wanted }: { choices: Choices; wanted: WantedContents },
  ): ReleaseStepData => ({
    offers: offersFor(releaseCatalogue(found.cluster.kubernetesVersion), choices, found.installation.version),
    progress: cache.progress(wanted),
    unnamed: kind === 'sandbox' ? 'sandbox' : 'public',
    needs: filesNeeded(wanted.version, wanted.platform, wanted.manifest),
  });

  const onPage = async (
    cluster: ClusterEntry,
    choices: Choices,
    age: Age,
    files: 'at-hand' | 'unopened' = 'at-hand',
  ): Promise<Assessment> => {
    const { slug, kind } = cluster;
    const assessed = await assess({
      use: using(slug),
      cache: cacheOf(slug, age),
      answers: choices,
      choices: () => choices,
      releases: files === 'at-hand' ? sources.page(kind, choices.goal) : undefined,
      signal,
    });
    const wanted = wantedOn(kind, assessed.facts, choices);
    const release = wanted && releaseStepData(kind, assessed.facts, { choices, wanted });
    const { facts: read, choices: effective, release: contents, running, through } = assessed;
    const flags = flagsOfEntry(cluster);
    const findings = findingsWithClusterFlags(assessed.findings, flags);
    return { facts: read, findings, flags, choices: effective, release, contents, running, through };
  };

  const problemsByWhatWasRead = async ({ slug, kind }: ClusterEntry, choices: Choices): Promise<ChoiceProblem[]> => {
    try {
      const { problems } = await assess({
        use: notRead,
        cache: keptOnly(slug),
        answers: choices,
        choices: () => choices,
        releases: sources.open(kind, choices.goal),
        signal,
      });
      return [...problems];
    } catch (error) {
      if (error instanceof NotRead) return [];
      throw error;
    }
  };

  return {
    assess: (cluster, choices, freshness) => onPage(cluster, choices, { facts: freshness, access: freshness }),
    assessPossible: async (cluster, freshness) => {
      const { installation } = await factsOf(cluster.slug, choicesSchema.parse({ goal: 'enable' }), freshness);
      const goal = installation.method === 'none' ? 'install' : 'enable';
      // With proposals accepted, as on the page to which the dashboard's button leads.
      return onPage(cluster, choicesSchema.parse({ goal, acceptProposals: true }), {
        facts: 'kept',
        access: freshness,
      });
    },
    assessUpgrade: (cluster, freshness) => {
      const age = { facts: freshness, access: freshness };
      return onPage(cluster, choicesSchema.parse({ goal: 'upgrade', acceptProposals: true }), age, 'unopened');
    },
    proposedRelease: (cluster, choices) => {
      const known = facts.peek(`${cluster} ${factsKey(choices)}`);
      const running = choices.goal === 'upgrade' ? (known?.installation.version ?? null) : null;
      const newer = running === null ? null : proposedRelease(running);
      return newer ?? releaseToInstall(known?.cluster.kubernetesVersion ?? null);
    },
    wanted: async ({ slug, kind }, choices) => wantedOn(kind, await factsOf(slug, choices, 'kept'), choices),
    prepare: ({ slug, kind, kube, clock }, choices, freshness, manifests) =>
      preparePlan({
        kube,
        clock,
        cache: cacheOf(slug, { facts: freshness, access: freshness }),
        answers: choices,
        choices: () => choices,
        releases: sources.plan(kind, choices.goal),
        manifests,
        signal,
      }),
    refuseNewProblems: async (cluster, before, after) => {
      // Problems that the kept answers had already do not count: otherwise the user could not even remove them.
      const old = new Set((await problemsByWhatWasRead(cluster, before)).map(({ message }) => message));
      const fresh = (await problemsByWhatWasRead(cluster, after)).filter(({ message }) => !old.has(message));
      if (fresh.length > 0) throw new ChoiceError(fresh);
    },
    forget: (cluster) => {
      facts.forget(`${cluster} `);
      accesses.forget(`${cluster} `);
    },
  };
}

/** Nothing has been read yet, so no answer can be refused. */
class NotRead extends Error {
  override name = 'NotRead';
}

function notRead(): never {
  throw new NotRead('This was not read yet.');
}
