import type { Facts } from '#lib/facts/index.ts';
import type { Choices, ObjectRef } from '#lib/spec/index.ts';
import type { Act, Condition, FieldExpectation } from './act.ts';

export type Effect = 'none' | 'control-plane' | 'traffic';

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

export type Undo = { act: Act; done: Condition };

export type PlanContext = { facts: Facts; choices: Choices };

/** A value, or how it follows from what was read and chosen. */
export type Derived<T> = T | ((context: PlanContext) => T);

/** What a file under `operations/` exports. In a Plan every `Derived` is resolved. */
export type OperationDefinition = {
  id: string;
  title: Derived<string>;
  why: Derived<string>;
  effect: Effect;
  reversible: boolean;
  appliesTo(context: PlanContext): boolean;
  needs: Derived<readonly Rule[]>;
  reads: Derived<readonly Guard[]>;
  act: Derived<Act>;
  done: Derived<Condition>;
  until?: string;
  undo: Derived<Undo | null>;
  command: Derived<string>;
  /** Waits: how long such a step usually takes, and the deadline after which the Run pauses; both grow with the cluster. */
  usualSeconds: Derived<number>;
  deadlineSeconds: Derived<number>;
};

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
  undo: (Undo & { diff: string }) | null;
  command: string;
  usualSeconds: number;
  deadlineSeconds: number;
};
