import type { Findings } from '#lib/checks/index.ts';
import type { Choices, FileStanding, Goal } from '#lib/spec/index.ts';
import type { Act, Condition } from './act.ts';
import type { Effect, PlannedOperation } from './operation.ts';

/** Facts + Choices → ordered operations (product.md › Nouns). Plain data: saved, reviewed, replayed. cli.md › plan. */
export type Plan = {
  apiVersion: 'signalbox.dev/v1';
  kind: 'Plan';
  goal: Goal;
  /** `sha256:…` over everything below except `findings`, `madeAt`, `madeUnder`, `release`, the diffs and how they were had: two plans that do the same have the same hash. */
  hash: string;
  cluster: string;
  /** What has to be said of the way to this cluster (`Facts.cluster.warnings`); left out where nothing has. No part of the hash. */
  warnings?: string[];
  /** UID of kube-system: a saved plan is refused on another cluster. Null for dumps. */
  clusterUid: string | null;
  madeAt: string;
  choices: Choices;
  operations: PlannedOperation[];
  findings: Findings;
  /** The release that the plan installs, where its files were published by somebody: not for a sandbox's own, nor for plans of earlier versions. */
  release?: PlannedRelease | undefined;
  /** What the proof of its nodes holds for; not in plans of earlier versions. No part of the hash: it is only compared later. */
  madeUnder?: MadeUnder | undefined;
};

/** What a proof of nodes holds for. `release`: that their agents run after the plan. `kernels`: nodes by kernel. Null: not known. */
export type MadeUnder = {
  release: string | null;
  cgroupFolder: string | null;
  kernels: { kernel: string; nodes: string[] }[];
};

/** Which files a plan was made from, and whether they are the published ones. Only shown: what is done stands in the operations. */
export type PlannedRelease = {
  version: string;
  operator: string;
  /** As a reader would name it. */
  source: string;
  files: { file: string; sha256: string; standing: FileStanding }[];
  /** What to say of files that are not known to be the published ones; null where all are. */
  notice: string | null;
};

/** One step of taking a run back, in the order of operations.md › journey 4. `undoes` is the seq of the operation it reverses. */
export type UndoStep = {
  undoes: number;
  id: string;
  title: string;
  effect: Effect;
  act: Act;
  done: Condition;
  command: string;
  usualSeconds: number;
  deadlineSeconds: number;
};
