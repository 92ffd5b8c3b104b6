/** `train`: the present operation. `stopped`: it failed or the run was ended there. `undone`: by the undo. `unknown`: its effect was not verified. */
export type SignalState = 'behind' | 'train' | 'ahead' | 'stopped' | 'undone' | 'unknown';

/** Words for a signal's state, for lists and screen readers. */
export const signalWords: Record<SignalState, string> = {
  behind: 'done',
  train: 'under way',
  ahead: 'ahead',
  stopped: 'stopped here',
  undone: 'undone',
  unknown: 'not verified',
};
