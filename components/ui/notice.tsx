import type { ReactNode } from 'react';
import { type State, stateTint } from './state.ts';
import { StateIcon } from './state-icon.tsx';

/** A sentence that stands out, with what to do. Never a modal: nothing that was typed is covered (reference › ui.md D3). */
export function Notice({
  state,
  title,
  children,
  actions,
}: {
  state: State;
  title: ReactNode;
  children?: ReactNode;
  actions?: ReactNode;
}) {
  return (
    <div className={`flex gap-3 rounded-md border border-line px-4 py-3 ${stateTint[state]}`}>
      <span className="mt-[3px]">
        <StateIcon state={state} />
      </span>
      <div className="min-w-0 flex-1">
        <p className="font-semibold">{title}</p>
        {children !== undefined && <div className="mt-0.5 text-ink-2">{children}</div>}
        {actions !== undefined && <div className="mt-2.5 flex flex-wrap gap-2">{actions}</div>}
      </div>
    </div>
  );
}
