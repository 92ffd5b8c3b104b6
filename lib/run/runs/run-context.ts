import type { Clock, Kube } from '#lib/kube/index.ts';
import type { JournalNamespaces } from '#lib/spec/index.ts';
import type { Manifests } from '../acts/manifest-acts.ts';
import type { RunControl } from '../engine/control.ts';
import type { RunOutcome } from '../engine/execute-run.ts';
import type { RunMemory } from '../memory/run-memory.ts';
import type { RunEvent } from '../model/event.ts';
import type { RunState } from '../model/journal.ts';
import type { ForeignReason } from '../model/provenance.ts';
import type { Identity, processState } from '../state-folder/identity.ts';

/** Everything a process needs to carry runs on one cluster. */
export type RunContext = {
  kube: Kube;
  clock: Clock;
  /** Namespaces of journals. A new run and its Lease go into the first; a run stays where it began. */
  journalNamespaces: JournalNamespaces;
  identity: Identity;
  /** Tells this installation's own runs from foreign ones. */
  memory: RunMemory;
  control: RunControl;
  /** Opens release files, for plans that install. */
  manifests?: Manifests | undefined;
  /** Receives every event with its id and time. */
  onEvent(event: RunEvent): void;
  signal: AbortSignal;
  /** From 0 to 1; default: random. */
  random?: (() => number) | undefined;
  /** Says whether a holder's process of this installation runs; default: asks this machine. */
  stateOf?: typeof processState | undefined;
};

/** `namespace`: of this run and its Lease. */
export type PlacedRun = RunContext & { namespace: string };

/** Why a run did not start or go on; nothing was changed. */
export type Refusal =
  | { kind: 'held'; holder: string; run: string | null }
  | { kind: 'unfinished'; run: string; samePlan: boolean }
  | { kind: 'no-such-run' }
  | { kind: 'ended'; state: RunState['kind'] }
  | { kind: 'later-run'; run: string }
  /** A doubt can be accepted only for the step that is paused at it, and for the subjects that it names. */
  | { kind: 'nothing-to-accept' }
  | { kind: 'other-cluster' }
  /** Not this installation's own: the user must examine it first, which `confirmed` proves. */
  | { kind: 'foreign'; run: string; because: ForeignReason }
  /** The foreign run has changed since it was examined. */
  | { kind: 'changed-since-shown'; run: string };

export type RunResult = { run: string; outcome: RunOutcome } | { refused: Refusal };
