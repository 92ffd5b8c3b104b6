import type { Findings } from '#lib/checks/index.ts';
import type { Facts } from '#lib/facts/index.ts';
import type { Plan } from '#lib/plan/index.ts';
import type { Choices, ReleaseContents } from '#lib/spec/index.ts';
import type { FlagsByProgram } from '#lib/text/index.ts';
import type { ProbeOffer } from '#lib/usecases/index.ts';
import type { PreflightView } from '../wire.ts';
import type { Answers, StepId } from '../wizard/answers.ts';
import type { Slug } from './clusters.ts';
import type { ReleaseStepData } from './release.ts';

export type Freshness = 'kept' | 'again';

/**
 * Answers for a plan that has not started, stored in the state folder and shared by all browsers of this console. `run` is set once it was started.
 * `answered`: the steps that were submitted.
 */
export type Draft = {
  id: string;
  cluster: Slug;
  /** The user's name for it; null: none. */
  name: string | null;
  revision: number;
  answers: Answers;
  answered: StepId[];
  /** When each finding was accepted, by its id. */
  acceptedAt: Readonly<Record<string, string>>;
  createdAt: string;
  updatedAt: string;
  run: string | null;
};

/**
 * `choices`: the answers that the checks ran with, including fixes from accepted proposals. `contents`: the files of the release, for goals that need them,
 * once they are open.
 */
export type Assessment = {
  facts: Facts;
  /** The commands of their remedies name the cluster. */
  findings: Findings;
  /** How further commands name the cluster. */
  flags: FlagsByProgram;
  choices: Choices;
  release: ReleaseStepData | null;
  contents: ReleaseContents | null;
  /** *upgrade*: the files of the running release and of intermediate ones. */
  running?: ReleaseContents | null | undefined;
  through?: readonly ReleaseContents[] | undefined;
};

export type Review = {
  plan: Plan;
  /** The draft's revision that the plan was made from. */
  revision: number;
  /** How the commands of its steps name the cluster. */
  flags: FlagsByProgram;
  /** `planAsShell` with the cluster's flags. */
  shell: string;
};

/** `view`: null if no test has run since this console started. */
export type PreflightState = { offer: ProbeOffer; view: PreflightView | null };

export type StartRequest = { revision: number; planHash: string; confirmation: string | null };
