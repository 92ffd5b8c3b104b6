import type { OperationLine } from '#lib/run/index.ts';
import type { SignalState } from './signal-words.ts';

/**
 * The signal of an operation of a run. `run`: whether a process carries it now; a run that is not carried has stopped at its present operation.
 */
export function signalOf(state: OperationLine['state'], run: 'moving' | 'standing'): SignalState {
  switch (state) {
    case 'already-done':
    case 'finished':
      return 'behind';
    case 'begun':
    case 'undoing':
      return run === 'moving' ? 'train' : 'stopped';
    case 'failed':
      return 'stopped';
    case 'undone':
      return 'undone';
    case 'ahead':
      return 'ahead';
  }
}
