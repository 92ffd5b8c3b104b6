import { type AccessAnswer, isKubeError, type Kube, type MissingRule } from '#lib/kube/index.ts';
import { defineCollector } from '../collector.ts';
import { allOf } from '../reading/coverage.ts';
import type { Query } from '../reading/query.ts';
import type { Reading } from '../reading/reading.ts';
import type { Facts } from '../schema.ts';

const kind = 'SelfSubjectAccessReview.authorization.k8s.io';

/** Answers to access reviews, and why some are missing. */
export type Access = Reading<readonly AccessAnswer[]>;

/**
 * Asks the API server which of these rules the administrator's account has. Rejects with a KubeError `aborted` only; other failures are returned as
 * missing.
 */
export async function readAccess(
  kube: Kube,
  { rules, signal }: { rules: readonly MissingRule[]; signal: AbortSignal | undefined },
): Promise<Access> {
  const nothing = (because: string): Access => ({ value: [], missing: [{ kind, because }] });
  if (kube.source === 'dump') return nothing('a dump does not show what you may do');
  if (rules.length === 0) return nothing('your rights were not checked');
  try {
    return { value: await kube.allowed(rules, signal === undefined ? {} : { signal }), missing: [] };
  } catch (error) {
    if (!isKubeError(error) || error.code === 'aborted') throw error;
    return nothing(error.message);
  }
}

/** The facts with these answers, so that one reading of a cluster serves every goal. */
export function withAccess(facts: Facts, access: Access): Facts {
  return {
    ...facts,
    resources: { ...facts.resources, access: withoutReasons(access) },
    coverage: { ...facts.coverage, access: allOf(access) },
  };
}

/** One review for the rules of all goals. */
const answers: Query<readonly AccessAnswer[]> = {
  rules: [],
  enlist:
    ({ kube, rules, signal }) =>
    () =>
      readAccess(kube, { rules, signal }),
};

export const access = defineCollector({
  id: 'access',
  provides: ['access'],
  reads: { answers },
  collect: (read) => ({ resources: { access: withoutReasons(read.answers) } }),
});

/** The answers without the API server's reasons, which name other accounts and their roles. */
function withoutReasons({ value }: Access): Facts['resources']['access'] {
  return value.map(({ reason: _reason, ...rule }) => rule);
}
