import type { OperationLine } from '#lib/run/index.ts';
import type { SignalState } from './signal-words.ts';

/**
 * The signal of an operation of a run. `run`: whether somebody carries it just now; one that stands still at an operation has stopped there.
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
