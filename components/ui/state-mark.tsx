import type { ReactNode } from 'react';
import { type State, stateText } from './state.ts';
import { StateIcon } from './state-icon.tsx';

export { type State, stateText } from './state.ts';
export { StateIcon };

export function StateMark({ state, children }: { state: State; children: ReactNode }) {
  return (
    // The icon is beside the first line.
    <span className={`inline-flex items-start gap-1.5 font-[560] ${stateText[state]}`}>
      <span className="flex h-[1lh] items-center">
        <StateIcon state={state} />
      </span>
      <span>{children}</span>
    </span>
  );
}
