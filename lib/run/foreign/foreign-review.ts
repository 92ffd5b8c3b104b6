import type { Plan } from '#lib/plan/index.ts';
import type { Entry } from '../model/journal.ts';
import type { ForeignReason } from '../model/provenance.ts';

/** One step as this installation sees it: nothing in it was taken from the run's own words. */
export type ForeignStep = {
  id: string;
  title: string;
  /** What it would change now, by a dry run; empty where nothing is written. */
  diff: string;
};

/** Why a foreign run is not carried on, or not undone, here. */
export type ForeignProblem = { id: string | null; message: string };

/** A foreign run as this installation undoes it: what is sealed once it was confirmed. */
export type AdoptedRun = { plan: Plan; entries: Entry[] };

/** What is done once a foreign run was looked through: its steps undone, or a plan of this installation in its place. */
export type ForeignContinuation = ({ how: 'undo' } & AdoptedRun) | { how: 'resume'; plan: Plan };

/** A foreign run looked through. `digest` names exactly the state of the run that this is about. */
export type ForeignReview = {
  run: string;
  because: ForeignReason;
  digest: string;
  /** The cluster's name by which it is reached here; it is typed to go on. */
  cluster: string;
  /** Operations that its journal says were begun, by id. Nothing shows that they were. */
  claimed: string[];
  /** What the run's answers accept, as its plan has them. */
  accepted: { id: string; reason: string }[];
  /** Findings that nobody answered. In the middle of a run some are its own doing. */
  open: { id: string; message: string }[];
  steps: ForeignStep[];
  problems: ForeignProblem[];
  /** What is done when it is confirmed; `resume` has none where no plan could be made. */
  continuation: ForeignContinuation | null;
  how: 'resume' | 'undo';
};
