import { type ChoiceProblem, choiceProblems, type Findings, runChecks } from '#lib/checks/index.ts';
import { collectFacts, type Facts } from '#lib/facts/index.ts';
import { rulesFor, withAccessOfPlan } from '#lib/plan/index.ts';
import { ChoiceError, claimsOfEndedRuns, withRelease } from '#lib/run/index.ts';
import { type Choices, type ReleaseContents, releaseToInstall } from '#lib/spec/index.ts';
import type { Assessment, ClusterEntry, Freshness, ReleaseSight, Slug } from '../host.ts';
import { journalNamespace } from './journal-namespace.ts';
import { keptForAWhile } from './kept-for-a-while.ts';
import type { OpenClusters, UsedCluster } from './open-clusters.ts';
import { filesNeeded, releaseCatalogue } from './release-catalogue.ts';
import { type ReleaseDesk, staysHere, type WantedContents, wantedContents } from './release-desk.ts';

/** Those of 5,000 nodes are some ten megabytes. */
const factsKept = 8;

export type Assessments = {
  /**
   * Facts and findings under these answers; an acknowledgement or mend that cannot be had changes nothing in them. The release's files are
   * opened where that dials nobody.
   */
  assess(cluster: ClusterEntry, choices: Choices, freshness: Freshness): Promise<Assessment>;
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

/**
 * Reads clusters and judges them. Facts are shared by every draft of a cluster whose answers decide the same reads; findings are made from them
 * anew each time, which costs milliseconds.
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

  const read = async ({ kube, clock }: UsedCluster, choices: Choices): Promise<Facts> => {
    const leftBehind = await claimsOfEndedRuns(kube, journalNamespace);
    return collectFacts({ kube, clock, choices, rules: rulesFor(choices.goal), leftBehind, signal });
  };

  const judged = (found: Facts, choices: Choices, contents: ReleaseContents | null): Findings =>
    runChecks(withAccessOfPlan(found, choices, contents), choices, { now: new Date().toISOString() });

  const factsOf = (cluster: Slug, choices: Choices, freshness: Freshness): Promise<Facts> =>
    facts.get(factsKey(cluster, choices), freshness, () => clusters.using(cluster, (used) => read(used, choices)));

  /** The facts with the objects that an installation makes, as they are now: read once for each reading of the cluster. */
  const whole = new WeakMap<Facts, WeakMap<ReleaseContents, Promise<Facts>>>();
  const withObjectsOf = (
    found: Facts,
    choices: Choices,
    contents: ReleaseContents,
    use: <T>(work: (used: UsedCluster) => Promise<T>) => Promise<T>,
  ): Promise<Facts> => {
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

  return {
    assess: async ({ slug, kind }, choices, freshness) => {
      const found = await factsOf(slug, choices, freshness);
      const wanted = wantedOn(kind, found, choices);
      if (wanted === null)
        return { facts: found, findings: judged(found, choices, null), release: null, contents: null };
      // What has to be dialled for is got when somebody asks for it; one that failed stays so until it is asked for again.
      if (!staysHere(wanted, env)) await desk.openKept(wanted);
      else if (desk.standing(wanted).kind !== 'failed') await openedSoon(desk, wanted);
      const contents = desk.peek(wanted);
      const complete =
        contents === null ? found : await withObjectsOf(found, choices, contents, (work) => clusters.using(slug, work));
      return {
        facts: complete,
        findings: judged(complete, choices, contents),
        release: sightOf(kind, found, wanted),
        contents,
      };
    },
    proposedRelease: (cluster, choices) =>
      releaseToInstall(facts.peek(factsKey(cluster, choices))?.cluster.kubernetesVersion ?? null),
    wanted: async ({ slug, kind }, choices) => wantedOn(kind, await factsOf(slug, choices, 'kept'), choices),
    assessStrictly: async (cluster, used, choices, freshness) => {
      const found = await facts.get(factsKey(cluster, choices), freshness, () => read(used, choices));
      const wanted = wantedOn(used.kind, found, choices);
      const contents = wanted && (await desk.open(wanted));
      const complete = contents ? await withObjectsOf(found, choices, contents, (work) => work(used)) : found;
      const findings = judged(complete, choices, contents);
      const problems = choiceProblems(choices, findings);
      if (problems.length > 0) throw new ChoiceError(problems);
      return { facts: complete, findings, release: wanted && sightOf(used.kind, found, wanted), contents };
    },
    refuseNewProblems: async (cluster, before, after) => {
      const problems = (choices: Choices): ChoiceProblem[] => {
        const found = facts.peek(factsKey(cluster, choices));
        return found ? choiceProblems(choices, judged(found, choices, null)) : [];
      };
      // What was kept before and cannot be had any more must not keep anybody from taking it back.
      const old = new Set(problems(before).map(({ message }) => message));
      const fresh = problems(after).filter(({ message }) => !old.has(message));
      if (fresh.length > 0) throw new ChoiceError(fresh);
    },
    forget: (cluster) => facts.forget(`${cluster} `),
  };
}

/** Files on this machine are open in a moment; nobody waits longer for others. */
async function openedSoon(desk: ReleaseDesk, wanted: WantedContents): Promise<void> {
  const soon = new Promise<void>((resolve) => setTimeout(resolve, soonMs).unref());
  await Promise.race([desk.open(wanted).catch(() => undefined), soon]);
}
const soonMs = 1_500;

/** The answers that decide what is read: which rules are asked for, which endpoint is dialled, which is suggested. */
function factsKey(cluster: Slug, { goal, platform, endpoint }: Choices): string {
  return `${cluster} ${JSON.stringify([goal, platform ?? null, endpoint?.host ?? null, endpoint?.port ?? null])}`;
}
