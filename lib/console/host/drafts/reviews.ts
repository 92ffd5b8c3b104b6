import { type Plan, PlanError, planAsShell } from '#lib/plan/index.ts';
import { type FlagsByProgram, sentenceWithClusterFlags } from '#lib/text/index.ts';
import type { Draft, Freshness, Review, Slug } from '../../host.ts';
import type { OpenClusters } from '../clusters/open-clusters.ts';
import type { ReleaseCache } from '../releases/release-cache.ts';
import type { Assessments } from './assessments.ts';
import { keptForAWhile } from './kept-for-a-while.ts';

const reviewsKept = 16;

export type Reviews = {
  /** The plan of a draft with the server's dry runs. Throws KubeError, PlanError, ChoiceError. */
  review(draft: Draft, freshness: Freshness): Promise<Review>;
  forget(cluster: Slug): void;
};

export function reviews(options: {
  clusters: OpenClusters;
  cache: Pick<ReleaseCache, 'manifests'>;
  assessments: Assessments;
  monotonic: () => number;
}): Reviews {
  const { clusters, cache, assessments } = options;
  const kept = keptForAWhile<Review>(options.monotonic, reviewsKept);
  return {
    review: ({ cluster, id, revision, answers, acceptedAt }, freshness) =>
      kept.get(`${cluster} ${id} ${revision}`, freshness, () =>
        clusters.using(cluster, async (used) => {
          const prepared = await assessments
            .prepare(used, answers, freshness, cache.manifests(used.kind))
            .catch((error: unknown) => {
              throw refusalForCluster(error, used.flags);
            });
          const plan = withTimes(prepared.plan, acceptedAt);
          return { plan, revision, flags: used.flags, shell: planAsShell(plan, used.flags) };
        }),
      ),
    forget: (cluster) => kept.forget(`${cluster} `),
  };
}

/** A refusal of a plan whose suggested commands name the cluster. */
function refusalForCluster(error: unknown, flags: FlagsByProgram): unknown {
  return error instanceof PlanError
    ? new PlanError(error.code, sentenceWithClusterFlags(error.message, flags), error.path)
    : error;
}

/** Adds to each accepted finding the time at which its reason was recorded, for the run's journal. */
function withTimes(plan: Plan, acceptedAt: Draft['acceptedAt']): Plan {
  const findings = plan.findings.findings.map((finding) => {
    const at = acceptedAt[finding.id];
    return finding.acknowledged === null || at === undefined ? finding : { ...finding, acceptedAt: at };
  });
  return { ...plan, findings: { ...plan.findings, findings } };
}
