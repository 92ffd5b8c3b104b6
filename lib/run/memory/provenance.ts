import { isDeepStrictEqual } from 'node:util';
import type { Plan } from '#lib/plan/index.ts';
import type { Journal } from '../journal.ts';
import { digestOfPlan, isSealedBy, type Sealer } from './seal.ts';

/** What the state folder holds of a run: plan and journal as this installation wrote them last. */
export type KeptRun = { plan: Plan; journal: Journal };

/**
 * Whose word a run in the cluster is. `own`: this installation wrote it, up to its last entry; it may be carried on without a question. Anything
 * else is *foreign*: evidence of what somebody did, never an order (operations.md › The journal and recovery).
 */
export type Provenance = { kind: 'own' } | { kind: 'foreign'; because: ForeignReason };

const foreignReasons = ['not-remembered', 'not-sealed', 'sealed-elsewhere', 'changed', 'older'] as const;
export type ForeignReason = (typeof foreignReasons)[number];

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
  const known = kept.journal.entries;
  return isDeepStrictEqual(journal.entries.slice(0, known.length), known) ? own : foreign('older');
}

const sentences: Readonly<Record<ForeignReason, string>> = {
  'not-remembered': 'This installation of Signalbox has no record of this run.',
  'not-sealed':
    'Nothing shows who wrote this run: another installation or an earlier version of Signalbox, or anybody who may write ConfigMaps there.',
  'sealed-elsewhere': 'Another installation of Signalbox wrote this run last.',
  changed: 'Something other than this installation of Signalbox changed this run.',
  older: 'Somebody put an earlier state of this run back: the record of this installation is further.',
};

/** Why a run is foreign, as a sentence. */
export function foreignBecause(because: ForeignReason): string {
  return sentences[because];
}
