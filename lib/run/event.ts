import type { Evidence, Subject } from '#lib/facts/index.ts';
import type { RunState, StepKey } from './journal.ts';

/** What a node shows of its move. `proven` names the data plane that was seen; `refused` is the agent's own refusal. */
export type NodeState = {
  name: string;
  state: 'waiting' | 'restarting' | 'proven' | 'refused' | 'unknown' | 'not-counted';
  dataplane: 'bpf' | 'standard' | null;
  detail: string;
  evidence: Evidence[];
};

/** A run's choices when it cannot go on by itself (operations.md › Waits). */
export type PauseChoice = 'keep-waiting' | 'acknowledge' | 'undo' | 'stop' | 'resume' | 'take-over';

/** cli.md › apply/status --watch; architecture.md › Streams. `id` grows across restarts: leaseTransitions × 10⁷ + counter. */
export type RunEvent = { id: number; at: string; run: string } & (
  | {
      event: 'snapshot';
      data: {
        role: 'holder' | 'follower';
        cluster: string;
        goal: string;
        state: RunState;
        operations: OperationLine[];
      };
    }
  | {
      event: 'operation';
      data: StepKey & {
        id: string;
        title: string;
        state: 'begun' | 'acted' | 'waiting' | 'finished' | 'failed';
        awaiting: string | null;
        heldUpBy: Subject[];
        usualSeconds: number;
        deadlineAt: string | null;
        note: string | null;
      };
    }
  | { event: 'node'; data: NodeState }
  | { event: 'condition'; data: { object: string; type: string; status: string; message: string | null } }
  | { event: 'log'; data: { message: string } }
  | { event: 'problem'; data: { code: string; message: string; subjects: Subject[]; choices: PauseChoice[] } }
  | { event: 'heartbeat'; data: Record<string, never> }
);

export type OperationLine = {
  seq: number;
  id: string;
  title: string;
  effect: string;
  state: 'ahead' | 'already-done' | 'begun' | 'finished' | 'undone' | 'undoing' | 'failed';
};

export type EventBody = RunEvent extends infer E ? (E extends RunEvent ? Pick<E, 'event' | 'data'> : never) : never;

/** Receives events in order; must not throw. */
export type Emit = (event: EventBody) => void;
