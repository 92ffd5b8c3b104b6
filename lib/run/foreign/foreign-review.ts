import type { Plan } from '#lib/plan/index.ts';
import type { Entry } from '../model/journal.ts';
import type { ForeignReason } from '../model/provenance.ts';

/** One step as this installation sees it, without any text of the run. */
export type ForeignStep = {
  id: string;
  title: string;
  /** The change that it would make now, by a dry run; empty if it writes nothing. */
  diff: string;
};

/** Why a foreign run is not carried on, or not undone, here. */
export type ForeignProblem = { id: string | null; message: string };

/** A foreign run in the form in which this installation undoes it. It is sealed once the user has confirmed it. */
export type AdoptedRun = { plan: Plan; entries: Entry[] };

/** What happens after the user has examined a foreign run: its steps are undone, or a plan of this installation replaces it. */
export type ForeignContinuation = ({ how: 'undo' } & AdoptedRun) | { how: 'resume'; plan: Plan };

/** A foreign run as examined. `digest` identifies exactly this state of the run. */
export type ForeignReview = {
  run: string;
  because: ForeignReason;
  digest: string;
  /** The name under which the cluster is reached here; the user types it to continue. */
  cluster: string;
  /** Ids of operations that its journal claims to have begun, without proof. */
  claimed: string[];
  /** Risks that the run's choices accept, as its plan has them. */
  accepted: { id: string; reason: string }[];
  /** Findings without an answer. In the middle of a run some are caused by the run. */
  open: { id: string; message: string }[];
  steps: ForeignStep[];
  problems: ForeignProblem[];
  /** What confirming does; for `resume` null if no plan could be made. */
  continuation: ForeignContinuation | null;
  how: 'resume' | 'undo';
};
