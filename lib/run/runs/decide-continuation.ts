import type { Plan } from '#lib/plan/index.ts';
import type { AdoptedRun, ForeignContinuation } from '../foreign/foreign-review.ts';
import { digestOfRun } from '../memory/digest-of-run.ts';
import { canStillBeUndone, hasEnded } from '../model/has-ended.ts';
import { type Accepted, directionOf, type Entry, type Journal, type RunState, subjectKey } from '../model/journal.ts';
import { remainsOf } from '../model/operation-lines.ts';
import type { Provenance } from '../model/provenance.ts';
import { laterRun, type RunSummary } from '../model/run-summary.ts';
import type { Refusal } from './run-context.ts';

/** `confirmed`: the foreign run that the user examined and confirmed with the cluster's name (`reviewForeignRun`). */
export type Continuation =
  | { how: 'resume'; acknowledge?: Record<string, string>; confirmed?: ConfirmedRun | undefined }
  | { how: 'undo'; confirmed?: ConfirmedRun | undefined }
  | { how: 'stop' };

/** `digest`: `digestOfRun` of what was examined. The rest is what is done now. */
export type ConfirmedRun = { digest: string } & ForeignContinuation;

/** A run as read, and whether it is ours. */
export type SeenRun = { plan: Plan; journal: Journal; provenance: Provenance };

/** Other facts, read under the Lease. `takenFrom`: the holder before, which is gone. `at`, `by`: when the run continues and who continues it. */
export type ContinuationContext = {
  isOfCluster: boolean;
  besides: readonly RunSummary[];
  takenFrom: string | null;
  at: string;
  by: string;
};

/** What is written. A run that is `running` afterwards is executed; one that was stopped has ended, and another may begin in its place. */
export type Continued = {
  /** A foreign run is adopted first. */
  adopt: AdoptedRun | null;
  entries: Entry[];
  state: Extract<RunState, { kind: 'running' | 'stopped' }>;
  accepted: Accepted[];
  begin: Plan | null;
};

/** How a run continues: its journal × the request × other facts → a refusal, or what is written and what follows. Pure. */
export function decideContinuation(
  seen: SeenRun,
  continuation: Continuation,
  { isOfCluster, besides, takenFrom, at, by }: ContinuationContext,
): Continued | { refused: Refusal } {
  const { plan, journal, provenance } = seen;
  const { run, state } = journal;
  if (!isOfCluster) return { refused: { kind: 'other-cluster' } };
  if (hasEnded(state) && !(continuation.how === 'undo' && canStillBeUndone(state)))
    return { refused: { kind: 'ended', state: state.kind } };
  const other = besides.find((one) => one.run !== run && !hasEnded(one.state));
  if (other) return { refused: { kind: 'unfinished', run: other.run, samePlan: false } };
  const foreign = foreignRefusal(seen, continuation);
  if (foreign) return { refused: foreign };

  const taken: Entry[] = takenFrom === null ? [] : [{ what: 'taken-over', at, by, from: takenFrom }];
  const confirmed = provenance.kind === 'foreign' && 'confirmed' in continuation ? continuation.confirmed : undefined;
  if (continuation.how === 'stop' || confirmed?.how === 'resume')
    return {
      adopt: null,
      entries: [...taken, { what: 'ended', at, state: 'stopped' }],
      state: { kind: 'stopped', remains: remainsOf(plan, journal) },
      accepted: journal.accepted,
      begin: confirmed?.how === 'resume' ? confirmed.plan : null,
    };

  const isUndo = (confirmed ?? continuation).how === 'undo';
  const later = isUndo ? laterRun(besides, journal) : null;
  if (later) return { refused: { kind: 'later-run', run: later } };
  const acknowledge = continuation.how === 'resume' ? (continuation.acknowledge ?? {}) : {};
  const accepted = accept(state, acknowledge);
  if (accepted === null) return { refused: { kind: 'nothing-to-accept' } };
  const adopt = confirmed?.how === 'undo' ? { plan: confirmed.plan, entries: confirmed.entries } : null;
  const past = adopt ? { ...journal, entries: adopt.entries, accepted: [] } : journal;
  const wasUndoing = directionOf(past) === 'undo';
  return {
    adopt,
    entries: [
      ...taken,
      ...Object.entries(acknowledge).map(([id, reason]): Entry => ({ what: 'acknowledged', at, id, reason, by })),
      { what: isUndo && !wasUndoing ? 'undo-asked' : 'resumed', at, by },
    ],
    state: { kind: 'running', direction: isUndo || wasUndoing ? 'undo' : 'forward' },
    accepted: [...past.accepted, ...accepted],
    begin: null,
  };
}

/** Stopping a run only writes that it was stopped, so a foreign run may be stopped without an examination. */
export function foreignRefusal(seen: SeenRun, continuation: Continuation): Refusal | null {
  const { journal, provenance } = seen;
  const { run } = journal;
  if (continuation.how === 'stop' || provenance.kind === 'own') return null;
  const { confirmed } = continuation;
  if (!confirmed) return { kind: 'foreign', run, because: provenance.because };
  return confirmed.digest === digestOfRun(seen) ? null : { kind: 'changed-since-shown', run };
}

/** Null if what was accepted is not the doubt at which the run is paused. */
function accept(state: RunState, acknowledge: Record<string, string>): Accepted[] | null {
  const given = Object.entries(acknowledge);
  if (given.length === 0) return [];
  if (state.kind !== 'paused' || state.code !== 'unknown') return null;
  if (given.some(([id]) => id !== state.id)) return null;
  const { direction, seq, subjects } = state;
  return given.map(([, reason]) => ({ direction, seq, reason, subjects: subjects.map(subjectKey) }));
}
