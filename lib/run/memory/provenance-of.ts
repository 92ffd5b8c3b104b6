import type { Plan } from '#lib/plan/index.ts';
import { continuesJournal } from '../model/history.ts';
import type { Journal } from '../model/journal.ts';
import type { ForeignReason, Provenance } from '../model/provenance.ts';
import { digestOfPlan, isSealedBy, type Sealer } from './seal.ts';

/** The state folder's copy of a run: plan and journal as this installation wrote them last. */
export type RunCopy = { plan: Plan; journal: Journal };

const own: Provenance = { kind: 'own' };
const foreign = (because: ForeignReason): Provenance => ({ kind: 'foreign', because });

/**
 * Whether a run is ours. `copy` must be read before the run is read from the cluster: the holder writes to the cluster first, so the copy is never
 * ahead. A journal older than the copy was put back by somebody: its seal is ours, but what it still plans to do is done already.
 */
export function provenanceOf(sealer: Sealer, copy: RunCopy | null, { plan, journal }: RunCopy): Provenance {
  if (journal.seal === undefined) return foreign(copy === null ? 'not-sealed' : 'changed');
  if (journal.seal.install !== sealer.install) return foreign('sealed-elsewhere');
  if (!isSealedBy(sealer, journal, digestOfPlan(plan))) return foreign('changed');
  if (copy === null) return foreign('not-remembered');
  return continuesJournal(journal, copy.journal) ? own : foreign('older');
}

/** Whether a run is ours, by its journal alone, as in a list. The copy's plan stands in for the run's; without a copy the run counts as foreign. */
export function provenanceOfJournal(sealer: Sealer, copy: RunCopy | null, journal: Journal): Provenance {
  if (copy !== null) return provenanceOf(sealer, copy, { plan: copy.plan, journal });
  if (journal.seal === undefined) return foreign('not-sealed');
  return foreign(journal.seal.install === sealer.install ? 'not-remembered' : 'sealed-elsewhere');
}
