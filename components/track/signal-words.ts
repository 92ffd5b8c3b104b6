/** `train`: where the run is. `stopped`: where it failed or was ended. `undone`: by the way back. `unknown`: its end could not be told. */
export type SignalState = 'behind' | 'train' | 'ahead' | 'stopped' | 'undone' | 'unknown';

/** The state of a signal in words: for the list, and for what is read out. */
export const signalWords: Record<SignalState, string> = {
  behind: 'done',
  train: 'under way',
  ahead: 'ahead',
  stopped: 'stopped here',
  undone: 'undone',
  unknown: 'not verified',
};
