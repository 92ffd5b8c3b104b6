import type { ReactNode } from 'react';
import type { State } from '#components/ui/state.ts';
import { stateTint } from '#components/ui/state.ts';
import { StateNotice } from '#components/ui/state-notice.tsx';

/**
 * Reserves room for a sentence of two lines (six on a telephone), its wait and the command for it, so that what is below does not move when they
 * change or the run pauses or ends.
 */
export const outcomeRoom = 'min-h-56 sm:min-h-[7.25rem]';

/**
 * The outcome of a run, below its track, in place of the sentence. A notice above the track would push the page down at the moment at which it is
 * read. Long content belongs in a Disclosure for the same reason.
 */
export function OutcomeStrip({
  state,
  title,
  children,
  actions,
  room = outcomeRoom,
}: {
  state: State;
  title: ReactNode;
  children?: ReactNode;
  actions?: ReactNode;
  /** A class that sets the least height. */
  room?: string;
}) {
  return (
    <div
      className={`flex flex-wrap items-center gap-x-6 gap-y-3 border-t border-line px-4 py-3 last:rounded-b-md ${room} ${stateTint[state]}`}
    >
      <div className="flex min-w-0 flex-1 basis-80 gap-3">
        <StateNotice state={state} title={title}>
          {children}
        </StateNotice>
      </div>
      {actions !== undefined && <div className="flex flex-wrap gap-2">{actions}</div>}
    </div>
  );
}
