import type { Findings } from '#lib/checks/index.ts';
import type { Choices, FileStanding, Goal } from '#lib/spec/index.ts';
import type { Act, Condition } from './act.ts';
import type { Effect, PlannedOperation } from './operation.ts';

/** Facts + Choices → ordered operations (product.md › Nouns). Plain data: saved, reviewed, replayed. cli.md › plan. */
export type Plan = {
  apiVersion: 'signalbox.dev/v1';
  kind: 'Plan';
  goal: Goal;
  /**
   * `sha256:…` over everything below except `findings`, `madeAt`, `madeUnder`, `release`, the diffs and how they were made: two plans that do the
   * same have the same hash.
   */
  hash: string;
  cluster: string;
  /** Warnings about the connection to this cluster (`Facts.cluster.warnings`); absent if there are none. Not part of the hash. */
  warnings?: string[];
  /** UID of kube-system: a saved plan is refused on another cluster. Null for dumps. */
  clusterUid: string | null;
  madeAt: string;
  choices: Choices;
  operations: PlannedOperation[];
  findings: Findings;
  /** The release that the plan installs, if its files were published: not for a sandbox's own files, nor in plans of earlier versions. */
  release?: PlannedRelease | undefined;
  /** What the proof of its nodes holds for; absent in plans of earlier versions. Not part of the hash: it is only compared later. */
  madeUnder?: MadeUnder | undefined;
};

/** What a proof of nodes holds for. `release`: the one that agents run after the plan. `kernels`: nodes by kernel. Null: unknown. */
type MadeUnder = {
  release: string | null;
  cgroupFolder: string | null;
  kernels: { kernel: string; nodes: string[] }[];
};

/** The files from which a plan was made, and whether they are the published ones. For display only: the operations decide what is done. */
type PlannedRelease = {
  version: string;
  operator: string;
  /** As a reader would name it. */
  source: string;
  files: { file: string; sha256: string; standing: FileStanding }[];
  /** What to say about files that are not known to be published; null if all are. */
  notice: string | null;
};

/** One step of undoing a run, in the order of operations.md › journey 4. `undoes`: the seq of the operation that it reverses. */
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
