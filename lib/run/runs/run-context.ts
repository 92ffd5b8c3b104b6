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
  /** Where journals may be; a new run, and its Lease, are in the first. A run stays in the one in which it began. */
  journalNamespaces: JournalNamespaces;
  identity: Identity;
  /** What tells this installation's own runs from others'. */
  memory: RunMemory;
  control: RunControl;
  /** Where files of releases come from, for plans that install. */
  manifests?: Manifests | undefined;
  /** Receives every event with its id and time. */
  onEvent(event: RunEvent): void;
  signal: AbortSignal;
  /** From 0 to 1; left out, as the machine throws the dice. */
  random?: (() => number) | undefined;
  /** What is known of the process of a holder of this installation; left out, its machine is asked. */
  stateOf?: typeof processState | undefined;
};

/** `namespace`: where this run and its Lease lie. */
export type PlacedRun = RunContext & { namespace: string };

/** Why a run did not start or go on; nothing was changed. */
export type Refusal =
  | { kind: 'held'; holder: string; run: string | null }
  | { kind: 'unfinished'; run: string; samePlan: boolean }
  | { kind: 'no-such-run' }
  | { kind: 'ended'; state: RunState['kind'] }
  | { kind: 'later-run'; run: string }
  /** A doubt is accepted for the step that is paused with it, and for the subjects that it names there. */
  | { kind: 'nothing-to-accept' }
  | { kind: 'other-cluster' }
  /** Not this installation's own: it is looked through first, and `confirmed` says that it was. */
  | { kind: 'foreign'; run: string; because: ForeignReason }
  /** The foreign run is another by now than the one that was looked through. */
  | { kind: 'changed-since-shown'; run: string };

export type RunResult = { run: string; outcome: RunOutcome } | { refused: Refusal };
