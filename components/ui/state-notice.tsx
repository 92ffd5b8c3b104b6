import type { ReactNode } from 'react';
import type { State } from './state.ts';
import { StateIcon } from './state-icon.tsx';

/** A state's icon with a title, an explanation, and what to do. */
export function StateNotice({
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
    <>
      <span className="mt-[3px]">
        <StateIcon state={state} />
      </span>
      <div className="min-w-0 flex-1">
        <p className="max-w-[100ch] font-semibold">{title}</p>
        {children !== undefined && <div className="mt-0.5 text-ink-2 [&>p]:max-w-[100ch]">{children}</div>}
        {actions !== undefined && <div className="mt-2.5 flex flex-wrap gap-2">{actions}</div>}
      </div>
    </>
  );
}
