import type { RunDetails, RunRequest } from '#lib/console/host.ts';
import type { RunState } from '#lib/run/index.ts';

/** A button of a run. `because`: why it is disabled now. */
export type RunControl = { action: RunRequest['action']; because: string | null };

const nobody = 'No process is carrying out this run: there is nothing to pause.';

/**
 * The requests that a run in this state may get, in the order of its buttons. Those that make no sense are left out. The host refuses the same and
 * more, because it also sees the cluster. Pure.
 */
export function runControls(state: RunState, carriedBy: RunDetails['carriedBy']): RunControl[] {
  const control = (action: RunRequest['action'], because: string | null = null): RunControl => ({ action, because });
  switch (state.kind) {
    case 'running':
      return [
        carriedBy === 'nobody' ? control('take-over') : control('pause'),
        ...(carriedBy === 'nobody' ? [control('pause', nobody)] : []),
        control('stop'),
        control('undo', state.direction === 'undo' ? 'This run is already being undone.' : null),
      ];
    case 'paused':
      // The choices are shown beside the reason for the pause.
      return [];
    case 'done':
    case 'stopped':
    case 'failed':
      return [control('undo')];
    case 'undone':
      return [];
  }
}
