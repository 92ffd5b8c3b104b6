import { type ChoiceProblem, choiceProblems, type Findings, runChecks } from '#lib/checks/index.ts';
import { type Access, collectFacts, type Facts, readAccess, withAccess } from '#lib/facts/index.ts';
import { rulesFor, withAccessOfPlan } from '#lib/plan/index.ts';
import { ChoiceError, claimsOfEndedRuns, type UpgradeFiles, withRelease } from '#lib/run/index.ts';
import { type Choices, choicesSchema, journalPlaces, type ReleaseContents, releaseToInstall } from '#lib/spec/index.ts';
import type { Assessment, ClusterEntry, Freshness, ReleaseSight, Slug } from '../host.ts';
import { keptForAWhile } from './kept-for-a-while.ts';
import type { OpenClusters, UsedCluster } from './open-clusters.ts';
import { filesNeeded, releaseCatalogue } from './release-catalogue.ts';
import { type ReleaseDesk, staysHere, type WantedContents, wantedContents } from './release-desk.ts';
import { upgradeReadings } from './upgrade-readings.ts';

/** Those of 5,000 nodes are some ten megabytes. */
const factsKept = 8;
/** Some hundred answers each. */
const accessesKept = 32;

export type Assessments = {
  /**
   * Facts and findings under these answers; an acknowledgement or mend that cannot be had changes nothing in them. The release's files are
   * opened where that dials nobody.
   */
  assess(cluster: ClusterEntry, choices: Choices, freshness: Freshness): Promise<Assessment>;
  /** The same for what could be done on this cluster: where nothing is installed there is nothing to enable. */
  assessPossible(cluster: ClusterEntry, freshness: Freshness): Promise<Assessment>;
  /** The release that a draft of these answers begins with, by what was read last. Reads nothing. */
  proposedRelease(cluster: Slug, choices: Choices): string;
  /** Which files these answers want; null for goals that need none. */
  wanted(cluster: ClusterEntry, choices: Choices): Promise<WantedContents | null>;
  /** The same for a plan. Throws ChoiceError where an acknowledgement or mend cannot be had. */
  assessStrictly(cluster: Slug, used: UsedCluster, choices: Choices, freshness: Freshness): Promise<Assessment>;
  /** Throws ChoiceError where new answers ask for an acknowledgement or mend that cannot be had by what was read last. Reads nothing. */
  refuseNewProblems(cluster: Slug, before: Choices, after: Choices): Promise<void>;
  /** A run has changed the cluster. */
  forget(cluster: Slug): void;
};

/** How old each part of a reading may be. */
type Age = { readonly facts: Freshness; readonly access: Freshness };

/** Does the work with an open cluster. */
type Use = <T>(work: (used: UsedCluster) => Promise<T>) => Promise<T>;

/**
 * Reads clusters and judges them. Facts are shared by every draft of a cluster whose answers decide the same reads, and what may be done by those
 * of one goal; findings are made from them anew each time, which costs milliseconds.
 */
export function assessments(options: {
  clusters: OpenClusters;
  desk: ReleaseDesk;
  env: NodeJS.ProcessEnv;
  monotonic: () => number;
  signal: AbortSignal;
}): Assessments {
  const { clusters, desk, env, monotonic, signal } = options;
  const facts = keptForAWhile<Facts>(monotonic, factsKept);
  const accesses = keptForAWhile<Access>(monotonic, accessesKept);

  const read = async ({ kube, clock }: UsedCluster, choices: Choices): Promise<Facts> => {
    const leftBehind = await claimsOfEndedRuns(kube, journalPlaces);
    return collectFacts({ kube, clock, choices, leftBehind, signal });
  };

  const factsOf = (cluster: Slug, choices: Choices, freshness: Freshness, use: Use): Promise<Facts> =>
    facts.get(factsKey(cluster, choices), freshness, () => use((used) => read(used, choices)));

  /** Both under way at once, each kept on its own: facts outlast a change of the goal. */
  const reading = async (cluster: Slug, choices: Choices, age: Age, use: Use) => {
    const rules = rulesFor(choices.goal);
    const [found, access] = await Promise.all([
      factsOf(cluster, choices, age.facts, use),
      accesses.get(accessKey(cluster, choices), age.access, () =>
        use(({ kube }) => readAccess(kube, { rules, signal })),
      ),
    ]);
    return { found, access };
  };

  const judged = (
    found: Facts,
    choices: Choices,
    contents: ReleaseContents | null,
    files: UpgradeFiles['files'] = {},
  ): Findings =>
    runChecks(withAccessOfPlan(found, choices, contents), choices, { now: new Date().toISOString(), files });

  const upgrades = upgradeReadings({ desk, env, signal });

  const using =
    (cluster: Slug): Use =>
    (work) =>
      clusters.using(cluster, work);

  /** The facts with the objects that an installation makes, as they are now: read once for each reading of the cluster. */
  const whole = new WeakMap<Facts, WeakMap<ReleaseContents, Promise<Facts>>>();
  const withObjectsOf = (found: Facts, choices: Choices, contents: ReleaseContents, use: Use): Promise<Facts> => {
    const ofFacts = whole.get(found) ?? new WeakMap<ReleaseContents, Promise<Facts>>();
    whole.set(found, ofFacts);
    const known = ofFacts.get(contents);
    if (known) return known;
    const reading = use(({ kube }) =>
      withRelease(found, { ...choices, release: contents.version }, { kube, releases: async () => contents, signal }),
    ).then(({ facts: read }) => read);
    ofFacts.set(contents, reading);
    reading.catch(() => ofFacts.delete(contents));
    return reading;
  };

  /** Which files the answers want on a cluster of these facts; null for goals that need none. */
  const wantedOn = (kind: ClusterEntry['kind'], found: Facts, choices: Choices): WantedContents | null =>
    choices.goal === 'install'
      ? wantedContents(
          choices,
          kind,
          choices.platform ?? found.platform.kind,
          releaseToInstall(found.cluster.kubernetesVersion),
        )
      : null;

  const sightOf = (kind: ClusterEntry['kind'], found: Facts, wanted: WantedContents): ReleaseSight => ({
    offers: releaseCatalogue(found.cluster.kubernetesVersion),
    standing: desk.standing(wanted),
    unnamed: kind === 'sandbox' ? 'sandbox' : 'public',
    needs: filesNeeded(wanted.version, wanted.platform),
  });

  const assess = async ({ slug, kind }: ClusterEntry, choices: Choices, age: Age): Promise<Assessment> => {
    const use = using(slug);
    const { found, access } = await reading(slug, choices, age, use);
    const wanted = wantedOn(kind, found, choices);
    if (wanted === null) {
      const { facts: more, files } = await upgrades.of(kind, found, choices, use);
      const told = withAccess(more, access);
      return { facts: told, findings: judged(told, choices, null, files), release: null, contents: null };
    }
    // What has to be dialled for is got when somebody asks for it; one that failed stays so until it is asked for again.
    if (!staysHere(wanted, env)) await desk.openKept(wanted);
    else if (desk.standing(wanted).kind !== 'failed') await openedSoon(desk, wanted);
    const contents = desk.peek(wanted);
    const complete = withAccess(contents ? await withObjectsOf(found, choices, contents, use) : found, access);
    return {
      facts: complete,
      findings: judged(complete, choices, contents),
      release: sightOf(kind, found, wanted),
      contents,
    };
  };

  return {
    assess: (cluster, choices, freshness) => assess(cluster, choices, { facts: freshness, access: freshness }),
    assessPossible: async (cluster, freshness) => {
      const enable = choicesSchema.parse({ goal: 'enable' });
      const { installation } = await factsOf(cluster.slug, enable, freshness, using(cluster.slug));
      const goal = installation.method === 'none' ? 'install' : 'enable';
      return assess(cluster, choicesSchema.parse({ goal }), { facts: 'kept', access: freshness });
    },
    proposedRelease: (cluster, choices) =>
      releaseToInstall(facts.peek(factsKey(cluster, choices))?.cluster.kubernetesVersion ?? null),
    wanted: async ({ slug, kind }, choices) =>
      wantedOn(kind, await factsOf(slug, choices, 'kept', using(slug)), choices),
    assessStrictly: async (cluster, used, choices, freshness) => {
      const use: Use = (work) => work(used);
      const { found, access } = await reading(cluster, choices, { facts: freshness, access: freshness }, use);
      const wanted = wantedOn(used.kind, found, choices);
      const contents = wanted && (await desk.open(wanted));
      const { facts: more, files } = await upgrades.of(used.kind, found, choices, use);
      const complete = withAccess(contents ? await withObjectsOf(found, choices, contents, use) : more, access);
      const findings = judged(complete, choices, contents, files);
      const problems = choiceProblems(choices, findings);
      if (problems.length > 0) throw new ChoiceError(problems);
      return { facts: complete, findings, release: wanted && sightOf(used.kind, found, wanted), contents };
    },
    refuseNewProblems: async (cluster, before, after) => {
      const problems = (choices: Choices): ChoiceProblem[] => {
        const found = facts.peek(factsKey(cluster, choices));
        const access = accesses.peek(accessKey(cluster, choices));
        return found && access ? choiceProblems(choices, judged(withAccess(found, access), choices, null)) : [];
      };
      // What was kept before and cannot be had any more must not keep anybody from taking it back.
      const old = new Set(problems(before).map(({ message }) => message));
      const fresh = problems(after).filter(({ message }) => !old.has(message));
      if (fresh.length > 0) throw new ChoiceError(fresh);
    },
    forget: (cluster) => {
      facts.forget(`${cluster} `);
      accesses.forget(`${cluster} `);
    },
  };
}

/** Files on this machine are open in a moment; nobody waits longer for others. */
async function openedSoon(desk: ReleaseDesk, wanted: WantedContents): Promise<void> {
  const soon = new Promise<void>((resolve) => setTimeout(resolve, soonMs).unref());
  await Promise.race([desk.open(wanted).catch(() => undefined), soon]);
}
const soonMs = 1_500;

/** The answers that decide what is read: an upgrade looks at more, an endpoint is dialled, a platform has one suggested. */
function factsKey(cluster: Slug, { goal, platform, endpoint }: Choices): string {
  const reads = [goal === 'upgrade', platform ?? null, endpoint?.host ?? null, endpoint?.port ?? null];
  return `${cluster} ${JSON.stringify(reads)}`;
}

/** The rules that are asked for are those of the goal. */
function accessKey(cluster: Slug, { goal }: Choices): string {
  return `${cluster} ${goal}`;
}
