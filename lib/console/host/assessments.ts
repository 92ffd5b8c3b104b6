import { type ChoiceProblem, choiceProblems, type Findings, runChecks } from '#lib/checks/index.ts';
import { collectFacts, type Facts } from '#lib/facts/index.ts';
import { rulesFor, withAccessOfPlan } from '#lib/plan/index.ts';
import { ChoiceError, claimsOfEndedRuns } from '#lib/run/index.ts';
import type { Choices } from '#lib/spec/index.ts';
import type { Assessment, Freshness, Slug } from '../host.ts';
import { journalNamespace } from './journal-namespace.ts';
import { keptForAWhile } from './kept-for-a-while.ts';
import type { OpenClusters, UsedCluster } from './open-clusters.ts';

/** Those of 5,000 nodes are some ten megabytes. */
const factsKept = 8;

export type Assessments = {
  /** Facts and findings under these answers; an acknowledgement or mend that cannot be had changes nothing in them. */
  assess(cluster: Slug, choices: Choices, freshness: Freshness): Promise<Assessment>;
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
  monotonic: () => number;
  signal: AbortSignal;
}): Assessments {
  const { clusters, monotonic, signal } = options;
  const facts = keptForAWhile<Facts>(monotonic, factsKept);

  const read = async ({ kube, clock }: UsedCluster, choices: Choices): Promise<Facts> => {
    const leftBehind = await claimsOfEndedRuns(kube, journalNamespace);
    return collectFacts({ kube, clock, choices, rules: rulesFor(choices.goal), leftBehind, signal });
  };

  const judged = (found: Facts, choices: Choices): Findings =>
    runChecks(withAccessOfPlan(found, choices), choices, { now: new Date().toISOString() });

  return {
    assess: (cluster, choices, freshness) => {
      const key = factsKey(cluster, choices);
      const reading = facts.get(key, freshness, () => clusters.using(cluster, (used) => read(used, choices)));
      return reading.then((found) => ({ facts: found, findings: judged(found, choices) }));
    },
    assessStrictly: async (cluster, used, choices, freshness) => {
      const found = await facts.get(factsKey(cluster, choices), freshness, () => read(used, choices));
      const findings = judged(found, choices);
      const problems = choiceProblems(choices, findings);
      if (problems.length > 0) throw new ChoiceError(problems);
      return { facts: found, findings };
    },
    refuseNewProblems: async (cluster, before, after) => {
      const problems = (choices: Choices): ChoiceProblem[] => {
        const found = facts.peek(factsKey(cluster, choices));
        return found ? choiceProblems(choices, judged(found, choices)) : [];
      };
      // What was kept before and cannot be had any more must not keep anybody from taking it back.
      const old = new Set(problems(before).map(({ message }) => message));
      const fresh = problems(after).filter(({ message }) => !old.has(message));
      if (fresh.length > 0) throw new ChoiceError(fresh);
    },
    forget: (cluster) => facts.forget(`${cluster} `),
  };
}

/** The answers that decide what is read: which rules are asked for, which endpoint is dialled, which is suggested. */
function factsKey(cluster: Slug, { goal, platform, endpoint }: Choices): string {
  return `${cluster} ${JSON.stringify([goal, platform ?? null, endpoint?.host ?? null, endpoint?.port ?? null])}`;
}
