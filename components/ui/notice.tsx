import type { ReactNode } from 'react';
import { type State, StateIcon } from './state-mark.tsx';

const tints: Record<State, string> = {
  ok: 'bg-green-tint',
  now: 'bg-amber-tint',
  warn: 'bg-amber-tint',
  bad: 'bg-red-tint',
  unknown: 'bg-violet-tint',
  idle: 'bg-sunk',
};

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
    <div className={`flex gap-3 rounded-md border border-line px-4 py-3 ${tints[state]}`}>
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
