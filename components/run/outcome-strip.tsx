import type { ReactNode } from 'react';
import type { State } from '#components/ui/state.ts';
import { stateTint } from '#components/ui/state.ts';
import { Stated } from '#components/ui/stated.tsx';

/** Room for a sentence of two lines (on a telephone six), its wait and what to look at then: what is below stands still while they change, and when a run pauses or ends. */
export const outcomeRoom = 'min-h-56 sm:min-h-[7.25rem]';

/**
 * What a run has come to, at the foot of its track: in the place of the sentence that stood there. A notice above the track would push the whole
 * page down under the reader's eyes at the very moment at which it is read. For the same reason what may be long belongs into a Disclosure.
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
  /** A class: the least height. */
  room?: string;
}) {
  return (
    <div
      className={`flex flex-wrap items-center gap-x-6 gap-y-3 border-t border-line px-4 py-3 last:rounded-b-md ${room} ${stateTint[state]}`}
    >
      <div className="flex min-w-0 flex-1 basis-80 gap-3">
        <Stated state={state} title={title}>
          {children}
        </Stated>
      </div>
      {actions !== undefined && <div className="flex flex-wrap gap-2">{actions}</div>}
    </div>
  );
}
