import type { ReactNode } from 'react';
import { type State, stateText } from './state.ts';
import { StateIcon } from './state-icon.tsx';

export { type State, stateText } from './state.ts';
export { StateIcon };

export function StateMark({ state, children }: { state: State; children: ReactNode }) {
  return (
    <span className={`inline-flex items-center gap-1.5 font-[560] ${stateText[state]}`}>
      <StateIcon state={state} />
      <span>{children}</span>
    </span>
  );
}
