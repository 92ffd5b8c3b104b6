import { createHash } from 'node:crypto';
import { canonicalJson } from '#lib/base/records.ts';
import { oncePerUnchanging } from '#lib/base/unchanging.ts';
import type { Plan } from './plan.ts';

/** `sha256:…` of what the plan does: everything except its hash, `findings`, `warnings`, `madeAt`, `madeUnder`, `release`, the diffs and how they were made. */
export const planHash = oncePerUnchanging((plan: Omit<Plan, 'hash'> & { hash?: string }): string => {
  const {
    hash: _hash,
    findings: _findings,
    warnings: _warnings,
    madeAt: _madeAt,
    release: _release,
    madeUnder: _madeUnder,
    operations,
    ...rest
  } = plan;
  const acts = operations.map(({ diff: _diff, previewed: _previewed, undo, ...operation }) => {
    if (undo === null) return { ...operation, undo };
    const { diff: _undoDiff, ...back } = undo;
    return { ...operation, undo: back };
  });
  return `sha256:${createHash('sha256')
    .update(canonicalJson({ ...rest, operations: acts }))
    .digest('hex')}`;
});
