import { expect, test } from 'vitest';
import { runControls } from './run-controls.ts';

const names = (controls: ReturnType<typeof runControls>) =>
  controls.map(({ action, because }) => (because === null ? action : `${action} (off)`));

test.each([
  [{ kind: 'running', direction: 'forward' }, 'us', ['pause', 'stop', 'undo']],
  [{ kind: 'running', direction: 'forward' }, 'other', ['pause', 'stop', 'undo']],
  [{ kind: 'running', direction: 'forward' }, 'nobody', ['take-over', 'pause (off)', 'stop', 'undo']],
  [{ kind: 'running', direction: 'undo' }, 'us', ['pause', 'stop', 'undo (off)']],
  [{ kind: 'done' }, 'nobody', ['undo']],
  [{ kind: 'stopped', remains: [] }, 'nobody', ['undo']],
  [{ kind: 'undone' }, 'nobody', []],
] as const)('%o carried by %s offers %o', (state, carriedBy, offered) => {
  const copy = state.kind === 'stopped' ? { ...state, remains: [] } : state;
  expect(names(runControls(copy, carriedBy))).toEqual(offered);
});
