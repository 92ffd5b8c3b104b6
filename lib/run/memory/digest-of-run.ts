import { createHash } from 'node:crypto';
import { canonicalJson } from '#lib/base/records.ts';
import type { Plan } from '#lib/plan/index.ts';
import type { Journal } from '../model/journal.ts';
import { digestOfPlan } from './seal.ts';

/** Identifies the state of a run at the moment of an examination: hex SHA-256 of plan and journal. */
export function digestOfRun({ plan, journal }: { plan: Plan; journal: Journal }): string {
  return createHash('sha256')
    .update(canonicalJson({ plan: digestOfPlan(plan), journal }))
    .digest('hex');
}
