import type { Facts } from '#lib/facts/index.ts';
import type { Choices, ObjectRef, PolicyChoice, ReleaseContents, Resource } from '#lib/spec/index.ts';
import type { Pattern } from './pins/pattern.ts';
import type { Act } from './schema/act.ts';
import type { Condition } from './schema/condition.ts';
import type { Effect, Guard, Nudge, PlannedOperation, Rule, Undo } from './schema/planned-operation.ts';

/** The effect on traffic while a step moves. `restarts`: open connections break. */
export type Traffic = 'none' | 'may-pause' | 'restarts';

/** What operations are made from. `before`: the objects right before this operation, as read, with the acts of earlier operations applied. */
export type PlanContext = {
  facts: Facts;
  choices: Choices;
  before: Facts['resources']['objects'];
  /** The release that *install* or *upgrade* brings; null for journeys without files. */
  release: ReleaseContents | null;
  /** *upgrade*: the files of the release that runs, to find changes by hand and for the way back; null if they are not at hand. */
  running: ReleaseContents | null;
};

/** A value, or a function that derives it from facts and choices. */
export type Derived<T> = T | ((context: PlanContext) => T);

/** Where things are on this cluster, for RBAC: usual names, narrowed by facts. */
export type RuleScope = {
  operatorNamespace: string;
  calicoNamespace: string;
  /** Services that a fix may leave to a NodeLocal DNSCache. */
  dnsServices: readonly Pick<ObjectRef, 'namespace' | 'name'>[];
  /** The groups in which FelixConfiguration may be written. */
  felix: readonly Resource[];
  /** *install*: groups of the kinds that the release defines. */
  definedGroups: readonly string[];
  /** *install*: names of those definitions, `ippools.crd.projectcalico.org`. */
  definitions: readonly string[];
  /** *install*: the release's custom resources for the operator. */
  customResources: readonly ObjectRef[];
  /** Where Helm keeps its records of the operator's release; default: in Secrets beside the operator. */
  helmRecords?: HelmRecords;
  /** *upgrade*: the same for the release that holds Calico's definitions; absent if none does. */
  definitionsRecords?: HelmRecords;
  /** *upgrade*: the kinds of objects that lose their owner references for a while, and the kinds of those owners. */
  owned?: readonly Resource[];
  owners?: readonly { group: string; plural: string }[];
  /** *upgrade*: workloads with a sidecar; none without facts. */
  sidecars?: readonly ObjectRef[];
  /** *policy*: the chosen policy, if any. */
  policy?: PolicyChoice;
};

/** `names`: the revisions that are read or written; null if unknown. */
export type HelmRecords = { resource: Resource; namespace: string; names: readonly string[] | null };

/**
 * Everything that a plan may contain under an operation's id. Plan files and journals are checked against it, values included. `step`: act and done.
 * Without `undo` or `nudge` there must be none.
 */
type MayWrite = { step: Pattern; undo?: Pattern; nudge?: Pattern };

/** What a file in `operations/` exports. In a plan every `Derived` is resolved. */
export type OperationDefinition = {
  id: string;
  title: Derived<string>;
  why: Derived<string>;
  /** What it means for the cluster if a run is paused here, in one or two sentences for a reader at night. */
  whenPaused: string;
  effect: Effect;
  traffic: Traffic;
  reversible: boolean;
  appliesTo(context: PlanContext): boolean;
  /** An earlier run of ours left this effect behind. It belongs to this run then, which sets it and undoes it, and does not count as the state before. */
  adopts?(context: PlanContext): boolean;
  /** Facts that prove that nothing is left to do if `done` alone cannot, e.g. because a later operation rightly reversed it. */
  settled?(context: PlanContext): boolean;
  /** `operation`: as it was recorded. Its undo must match its act. */
  mayWrite(operation: Pick<PlannedOperation, 'act' | 'done'>, choices: Choices): MayWrite;
  needs(scope: RuleScope): readonly Rule[];
  /** Paths that must still be as planned right before the act. Expected values come from `before`, or are given if no object that was read has them. */
  reads: Derived<readonly (GuardedPaths | Guard)[]>;
  act: Derived<Act>;
  done: Derived<Condition>;
  until?: string;
  nudge: Derived<Nudge | null>;
  undo: Derived<UndoDefinition | null>;
  /** The change as lines of a diff, if no object that was read shows it. */
  changes?: Derived<string>;
  /** Only if the command cannot be made from act and done. */
  command?: Derived<string>;
  /** The usual duration of the step and the deadline after which the run pauses. Both grow with the cluster. */
  usualSeconds: Derived<number>;
  deadlineSeconds: Derived<number>;
};

export type GuardedPaths = { target: ObjectRef; paths: readonly (readonly string[])[] };

/** An undo as an operation states it, without what has defaults. */
export type UndoDefinition = Pick<Undo, 'title' | 'act' | 'done' | 'phase'> &
  Partial<Pick<Undo, 'pulls' | 'usualSeconds' | 'deadlineSeconds'>>;
