import type { RunDetails, RunRequest } from '#lib/console/host.ts';
import type { RunState } from '#lib/run/index.ts';

/** A button of a run. `because`: why it is off now. */
export type RunControl = { action: RunRequest['action']; because: string | null };

const nobody = 'No process carries this run out at the moment: there is nothing to pause.';

/**
 * What may be asked of a run in this state, in the order of its buttons; what makes no sense at all is not among them. The host refuses the same
 * and more: it alone sees the cluster. Pure.
 */
export function runControls(state: RunState, carriedBy: RunDetails['carriedBy']): RunControl[] {
  const control = (action: RunRequest['action'], because: string | null = null): RunControl => ({ action, because });
  switch (state.kind) {
    case 'running':
      return [
        carriedBy === 'nobody' ? control('take-over') : control('pause'),
        ...(carriedBy === 'nobody' ? [control('pause', nobody)] : []),
        control('stop'),
        control('undo', state.direction === 'undo' ? 'This run is being undone already.' : null),
      ];
    case 'paused':
      // Its choices stand where it is told why it is paused.
      return [];
    case 'done':
    case 'stopped':
    case 'failed':
      return [control('undo')];
    case 'undone':
      return [];
  }
}
