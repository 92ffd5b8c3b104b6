import type { Plan } from '#lib/plan/index.ts';
import type { ForeignReview, LeaseHolder, Report } from '#lib/run/index.ts';
import type { RunView } from '../wire.ts';

export type RunDetails = {
  view: RunView;
  report: Report;
  plan: Plan;
  leaseHolder: LeaseHolder;
  /** The process that carries the run: this console's, another living one, or none. */
  carriedBy: 'us' | 'other' | 'nobody';
  /** The identity of this console's process in Leases and journals. */
  us: string;
};

/** `once-it-answers`: the API server is unreachable. The run is carried here and handles the request first when the server answers again. */
export type RequestTiming = 'now' | 'once-it-answers';

export type RunRequest = {
  action: 'pause' | 'resume' | 'stop' | 'undo' | 'take-over';
  revision: number;
  /** The reason for accepting the doubt at which the run is paused. */
  acknowledge?: string;
  confirmation?: string;
};

/** A foreign run as its page shows it. `because`: why it is foreign, as a sentence. */
export type LookedThrough = Omit<ForeignReview, 'because' | 'continuation'> & { because: string };

/** Continues exactly the examined run, which `digest` identifies. `confirmation` is the cluster's name. */
export type TakeUp = { digest: string; how: 'resume' | 'undo'; confirmation: string };
