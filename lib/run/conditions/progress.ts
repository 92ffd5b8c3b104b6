import type { Evidence, Subject } from '#lib/facts/index.ts';
import type { NodeState } from '../model/event.ts';
import type { Fault } from './rollout.ts';

/** What evaluating a condition once says. */
export type Progress =
  | { kind: 'met'; evidence: Evidence[]; note?: string; nodes?: NodeState[] }
  | {
      kind: 'waiting';
      awaiting: string;
      heldUpBy: Subject[];
      nodes?: NodeState[];
      done?: number;
      total?: number;
      /** Pods that try the same thing again and again. */
      faults?: Fault[];
      /** Nothing moves until the operator reacts: a restart may help. */
      operatorSilent?: true;
    }
  /** It will not come true by waiting: *undo* is offered at once. */
  | { kind: 'failed'; code: string; because: string; subjects: Subject[]; nodes?: NodeState[] }
  /**
   * Nothing shows it. May be acknowledged under the operation's id.
   * `settleSeconds`: after so long without a sign of the contrary it may be taken as reached, and is said to be so.
   */
  | { kind: 'unknown'; because: string; subjects: Subject[]; settleSeconds?: number; nodes?: NodeState[] };

export function met(evidence: Evidence[] = [], note?: string): Progress {
  return note === undefined ? { kind: 'met', evidence } : { kind: 'met', evidence, note };
}

export function waiting(awaiting: string, heldUpBy: Subject[] = []): Progress {
  return { kind: 'waiting', awaiting, heldUpBy };
}
