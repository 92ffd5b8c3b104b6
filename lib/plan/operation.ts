import type { Facts } from '#lib/facts/index.ts';
import type { Choices, ObjectRef, PolicyChoice, ReleaseContents, Resource } from '#lib/spec/index.ts';
import type { Act, Condition, FieldExpectation } from './act.ts';
import type { Pattern } from './pins/pattern.ts';

export type Effect = 'none' | 'control-plane' | 'traffic';

/** What traffic feels while a step moves. `restarts`: open connections have to begin again. */
export type Traffic = 'none' | 'may-pause' | 'restarts';

/** One RBAC rule an operation uses; `signalbox rbac` and `permissions.plan` are made from these. */
export type Rule = {
  group: string;
  resource: string;
  subresource?: string;
  verbs: string[];
  namespace?: string;
  names?: string[];
};

/** What must still be as the plan read it, right before the act: never resourceVersion, status or managedFields (operations.md › Two consoles). */
export type Guard = { target: ObjectRef; expected: FieldExpectation[] };

/**
 * The order in which a run is taken back (operations.md › journey 4). Within a phase, what was done last is undone first.
 * It is part of the plan, so that a journal written by an older version is still undone in the order that it was shown.
 */
export const undoPhases = [
  /** The proxy's rules are protected before the proxy is asked back. */
  'cleanup-off',
  /** What the proxy needs to start. */
  'proxy-configuration',
  /** The proxy itself; awaited until its rules are seen. */
  'proxy',
  /** Where `bpfEnabled` was set by hand: the operator must stop owning it before the Installation goes back. */
  'ownership',
  /** Installation back; awaited until no node uses eBPF. */
  'data-plane',
  /** Everything that had to be as it was while eBPF was on. */
  'options',
  'operator-dns',
  /** Only now may agents go back to the ClusterIP. */
  'endpoint',
  /** A deleted endpoint ConfigMap has no effect until the operator starts again. */
  'operator',
  'workloads',
  /** *install*: whoever looks after the custom resources goes only when they are gone (calico.md §13 no. 30). */
  'operator-gone',
  'namespace',
  /** While an operator runs it writes its definitions again. */
  'definitions',
  /** The network that was there before Calico’s. */
  'network',
  /** *upgrade*: one release after the other, each with its own wait, in the reverse of the order in which they came. */
  'release',
] as const;
export type UndoPhase = (typeof undoPhases)[number];

export type Undo = {
  title: string;
  act: Act;
  done: Condition;
  phase: UndoPhase;
  /** Ids of operations whose undo is due with this one, begun or not. */
  pulls: string[];
  command: string;
  usualSeconds: number;
  deadlineSeconds: number;
};

/** What a wait may do by itself when the operator has not reacted at all for so long, once (operations.md › endpoint.active). */
export type Nudge = { afterSeconds: number; because: string; act: Act };

/** What operations are made from. `before` holds the objects as they will be right before this operation: as read, with the acts of earlier operations on top. */
export type PlanContext = {
  facts: Facts;
  choices: Choices;
  before: Facts['resources']['objects'];
  /** What *install* and *upgrade* put on the cluster; null for journeys that need no files. */
  release: ReleaseContents | null;
  /** *upgrade*: the files of the release that runs, for what people changed and for the way back; null where they are not at hand. */
  running: ReleaseContents | null;
};

/** A value, or how it follows from what was read and chosen. */
export type Derived<T> = T | ((context: PlanContext) => T);

/** Where things are on this cluster, for RBAC: known before there are facts, narrowed by them. */
export type RuleScope = {
  operatorNamespace: string;
  calicoNamespace: string;
  /** Services that a fix may leave to a NodeLocal DNSCache. */
  dnsServices: readonly Pick<ObjectRef, 'namespace' | 'name'>[];
  /** The groups through which FelixConfiguration may be written. */
  felix: readonly Resource[];
  /** *install*: groups of the kinds that the release defines. */
  definedGroups: readonly string[];
  /** *install*: names of those definitions, `ippools.crd.projectcalico.org`. */
  definitions: readonly string[];
  /** *install*: what is asked of the operator, by the release's custom resources. */
  customResources: readonly ObjectRef[];
  /** Where Helm keeps its records of the operator's release; left out: in Secrets beside the operator. */
  helmRecords?: HelmRecords;
  /** *upgrade*: the same of the release that holds Calico's definitions; left out where none does. */
  definitionsRecords?: HelmRecords;
  /** *upgrade*: kinds of the objects that lose their owner references for a while, and of those owners. */
  owned?: readonly Resource[];
  owners?: readonly { group: string; plural: string }[];
  /** *upgrade*: workloads that carry a sidecar; none before there are facts. */
  sidecars?: readonly ObjectRef[];
  /** *policy*: the one that was chosen; left out where none was. */
  policy?: PolicyChoice;
};

/** `names`: of the revisions that are read or written; null where they are not known. */
export type HelmRecords = { resource: Resource; namespace: string; names: readonly string[] | null };

/**
 * Everything that a plan may hold under an operation's id, wherever it comes from: plan files and journals are held to it, down to values.
 * `step`: act and done. `undo` and `nudge` left out: there is none.
 */
export type MayWrite = { step: Pattern; undo?: Pattern; nudge?: Pattern };

/** What a file under `operations/` exports. In a Plan every `Derived` is resolved. */
export type OperationDefinition = {
  id: string;
  title: Derived<string>;
  why: Derived<string>;
  /** What it means for the cluster that a run stands still here, for whoever reads it in the middle of the night. One sentence or two. */
  whenPaused: string;
  effect: Effect;
  traffic: Traffic;
  reversible: boolean;
  appliesTo(context: PlanContext): boolean;
  /** An earlier run of ours left this effect behind: it is this run's then, to set back and to take back, and not what was there before. */
  adopts?(context: PlanContext): boolean;
  /** Facts that prove that nothing is left to do where `done` alone cannot tell, e.g. because a later operation rightly reversed it. */
  settled?(context: PlanContext): boolean;
  /** `operation`: as it was recorded; its undo is held to its act. */
  mayWrite(operation: Pick<PlannedOperation, 'act' | 'done'>, choices: Choices): MayWrite;
  needs(scope: RuleScope): readonly Rule[];
  /** Paths that must still be as planned right before the act; their values are taken from `before`, or said where no object that is read has them. */
  reads: Derived<readonly (GuardedPaths | Guard)[]>;
  act: Derived<Act>;
  done: Derived<Condition>;
  until?: string;
  nudge: Derived<Nudge | null>;
  undo: Derived<UndoDefinition | null>;
  /** What it changes, as lines of a diff, where no object that is read shows it. */
  changes?: Derived<string>;
  /** Only where the line cannot be made from act and done. */
  command?: Derived<string>;
  /** How long such a step usually takes, and the deadline after which the Run pauses; both grow with the cluster. */
  usualSeconds: Derived<number>;
  deadlineSeconds: Derived<number>;
};

export type GuardedPaths = { target: ObjectRef; paths: readonly (readonly string[])[] };

/** An undo as an operation states it; the rest has defaults. */
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
  /** How the diff was had: a dry run on the server; by computing, where the server cannot tell yet; or nothing is written. */
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
