import { parseCidr } from '#lib/base/ip.ts';
import type { Pool } from '../installation-spec.ts';
import { type Problem, poolPlace } from '../problem.ts';
import { blockSizes } from './block-sizes.ts';
import { nameOf, type PoolContext, type PoolRule, poolRules, type ReadPool } from './pool-rules.ts';

export type PoolProblem = Problem & { readonly severity: 'error' | 'warning' };

/** All problems of the pools: those that the operator refuses, and those that it accepts although nodes or pods lose connectivity. */
export function poolProblems(pools: readonly Pool[], around: PoolContext = {}): PoolProblem[] {
  return problemsBy(poolRules, pools, around);
}

/** The operator's first error for these pools, in its words (calico.md §2.3); null: it accepts them. */
export function poolProblem(pools: readonly Pool[], around: PoolContext = {}): string | null {
  const refusals = poolRules.filter(({ by }) => by === 'operator');
  const [first] = problemsBy(refusals, pools, around);
  const pool = first && pools[Number(first.path[2])];
  return first && pool ? `IPPool ${nameOf(pool)}: ${first.words}` : null;
}

function problemsBy(
  rules: readonly PoolRule[],
  pools: readonly Pool[],
  around: PoolContext,
): (PoolProblem & { path: Problem['path'] })[] {
  const read = pools.map((pool, index): ReadPool => {
    const cidr = parseCidr(pool.cidr);
    return { pool, index, cidr, size: pool.blockSize ?? blockSizes[cidr?.family ?? 4].usual };
  });
  return rules.flatMap(({ severity, check }) =>
    check(read, around).map(({ at, key, words }) => {
      const location = poolPlace(at.pool, at.index, key);
      return { ...location, words, sentence: `${location.field}: ${words}`, severity };
    }),
  );
}
