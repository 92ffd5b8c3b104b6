import type { SignalState } from './run-track-layout.ts';

/** The state of a signal in words: for the list, and for what is read out. */
export const signalWords: Record<SignalState, string> = {
  behind: 'done',
  train: 'under way',
  ahead: 'ahead',
  stopped: 'stopped here',
  undone: 'taken back',
  unknown: 'not verified',
};
