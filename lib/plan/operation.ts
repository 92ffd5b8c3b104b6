import type { Facts } from '#lib/facts/index.ts';
import type { Choices, ObjectRef, PolicyChoice, ReleaseContents, Resource } from '#lib/spec/index.ts';
import type { Act, Condition, FieldExpectation } from './act.ts';
import type { Pattern } from './pins/pattern.ts';

export type Effect = 'none' | 'control-plane' | 'traffic';

/** The effect on traffic while a step moves. `restarts`: open connections break. */
export type Traffic = 'none' | 'may-pause' | 'restarts';

/** One RBAC rule that an operation uses; `signalbox rbac` and `permissions.plan` are made from these. */
export type Rule = {
  group: string;
  resource: string;
  subresource?: string;
  verbs: string[];
  namespace?: string;
  names?: string[];
};

/** Fields that must still be as the plan read them, right before the act: never resourceVersion, status or managedFields (operations.md › Two consoles). */
export type Guard = { target: ObjectRef; expected: FieldExpectation[] };

/**
 * The order in which a run is undone (operations.md › journey 4). Within a phase, the last step is undone first. Phases are part of the plan, so that
 * a journal of an older version is undone in the order that it showed.
 */
export const undoPhases = [
  /** Protects the proxy's rules before the proxy comes back. */
  'cleanup-off',
  /** What the proxy needs to start. */
  'proxy-configuration',
  /** The proxy itself, until its rules are seen. */
  'proxy',
  /** If `bpfEnabled` was set by hand, the operator must stop owning it before the Installation is restored. */
  'ownership',
  /** The Installation, until no node uses eBPF. */
  'data-plane',
  /** Settings that had to stay while eBPF was on. */
  'options',
  'operator-dns',
  /** Agents may use the ClusterIP again only now. */
  'endpoint',
  /** Deleting the endpoint's ConfigMap takes effect when the operator starts again. */
  'operator',
  'workloads',
  /** *install*: the operator cleans up after its custom resources, so it is deleted after them (calico.md §13 no. 30). */
  'operator-gone',
  'namespace',
  /** A running operator would write its definitions again. */
  'definitions',
  /** The network that was there before Calico’s. */
  'network',
  /** *upgrade*: the releases one after the other, last first, each with its own wait. */
  'release',
] as const;
export type UndoPhase = (typeof undoPhases)[number];

export type Undo = {
  title: string;
  act: Act;
  done: Condition;
  phase: UndoPhase;
  /** Ids of operations that are undone together with this one, begun or not. */
  pulls: string[];
  command: string;
  usualSeconds: number;
  deadlineSeconds: number;
};

/** What a wait may do once if the operator has not reacted for so long (operations.md › endpoint.active). */
type Nudge = { afterSeconds: number; because: string; act: Act };

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

/** One operation of a Plan (cli.md › plan): plain data, a public contract. */
export type PlannedOperation = {
  id: string;
  /** 1-based; the same id may occur twice, so journal, events and undo name operations by `seq`. */
  seq: number;
  title: string;
  why: string;
  effect: Effect;
  reversible: boolean;
  status: 'needed' | 'already-done';
  /** objectIds that the act writes. */
  targets: string[];
  /** Unified diff of YAML from a server-side dry run, secrets masked; empty for waits. */
  diff: string;
  /** How the diff was made: a dry run on the server, or computed where the server cannot tell yet; or nothing is written. */
  previewed: 'dry-run' | 'computed' | 'nothing-written';
  needs: Rule[];
  reads: Guard[];
  act: Act;
  done: Condition;
  until: string | null;
  nudge: Nudge | null;
  undo: (Undo & { diff: string }) | null;
  command: string;
  usualSeconds: number;
  deadlineSeconds: number;
};
