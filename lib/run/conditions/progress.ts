import type { Evidence, Subject } from '#lib/facts/index.ts';
import type { NodeState } from '../model/event.ts';
import type { Fault } from './rollout.ts';

/** The outcome of one evaluation of a condition. */
export type Progress =
  | { kind: 'met'; evidence: Evidence[]; note?: string; nodes?: NodeState[] }
  | {
      kind: 'waiting';
      awaiting: string;
      heldUpBy: Subject[];
      nodes?: NodeState[];
      done?: number;
      total?: number;
      /** Pods that fail in the same way again and again. */
      faults?: Fault[];
      /** The operator has not reacted, and nothing goes on until it does: a restart of it may help. */
      operatorSilent?: true;
    }
  /** Waiting does not help: the run pauses and offers *undo* at once. */
  | { kind: 'failed'; code: string; because: string; subjects: Subject[]; nodes?: NodeState[] }
  /**
   * Nothing shows whether it holds; the administrator may accept that. `settleSeconds`: after this time without a sign of the contrary the condition
   * counts as met, and the run says so.
   */
  | { kind: 'unknown'; because: string; subjects: Subject[]; settleSeconds?: number; nodes?: NodeState[] };

/** The condition holds; `note`: a remark for the journal. */
export function met(evidence: Evidence[] = [], note?: string): Progress {
  return note === undefined ? { kind: 'met', evidence } : { kind: 'met', evidence, note };
}

/** The condition does not hold yet. `awaiting` completes the sentence "Waiting for …". */
export function waiting(awaiting: string, heldUpBy: Subject[] = []): Progress {
  return { kind: 'waiting', awaiting, heldUpBy };
}
