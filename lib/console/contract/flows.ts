import type { ChangesOfRun } from '#lib/flows/index.ts';
import type { ShownRun } from '#lib/run/index.ts';

/** A policy as YAML, preceded by comments about its source and its limits. */
export type Suggested = {
  readonly kind: string;
  readonly name: string;
  readonly namespace: string;
  readonly yaml: string;
  /** Hash of the policy and its remarks. */
  readonly hash: string;
};

/** `run`: the run that was compared; null: there is none. If `changes` is null, the sentence `because` says why. */
export type FlowChanges = {
  readonly runs: readonly Pick<ShownRun, 'run' | 'goal' | 'startedAt'>[];
  readonly run: string | null;
  readonly changes: ChangesOfRun | null;
  readonly because: string | null;
};

/** As typed: `shop/checkout`, `payments/ledger-db:5432`. Only the time of `query` is used. */
export type WhyAsked = { readonly from: string; readonly to: string; readonly query: string };
