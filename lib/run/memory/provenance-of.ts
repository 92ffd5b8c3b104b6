import type { Plan } from '#lib/plan/index.ts';
import { continues } from '../model/history.ts';
import type { Journal } from '../model/journal.ts';
import type { ForeignReason, Provenance } from '../model/provenance.ts';
import { digestOfPlan, isSealedBy, type Sealer } from './seal.ts';

/** What the state folder holds of a run: plan and journal as this installation wrote them last. */
export type KeptRun = { plan: Plan; journal: Journal };

const own: Provenance = { kind: 'own' };
const foreign = (because: ForeignReason): Provenance => ({ kind: 'foreign', because });

/**
 * `kept` must have been read before the run was read from the cluster: its holder writes the cluster first, so that the copy is never ahead.
 * A journal that is behind the copy was put back by somebody: its seal is ours, and what it says has to be done was done.
 */
export function provenanceOf(sealer: Sealer, kept: KeptRun | null, { plan, journal }: KeptRun): Provenance {
  if (journal.seal === undefined) return foreign(kept === null ? 'not-sealed' : 'changed');
  if (journal.seal.install !== sealer.install) return foreign('sealed-elsewhere');
  if (!isSealedBy(sealer, journal, digestOfPlan(plan))) return foreign('changed');
  if (kept === null) return foreign('not-remembered');
  return continues(journal, kept.journal) ? own : foreign('older');
}

/** The same of a journal whose plan was not read, as a list reads none: the copy's plan stands for it, and without a copy no journal is own. */
export function provenanceOfJournal(sealer: Sealer, kept: KeptRun | null, journal: Journal): Provenance {
  if (kept !== null) return provenanceOf(sealer, kept, { plan: kept.plan, journal });
  if (journal.seal === undefined) return foreign('not-sealed');
  return foreign(journal.seal.install === sealer.install ? 'not-remembered' : 'sealed-elsewhere');
}
