import type { ComponentProps } from 'react';
import { stateTint } from './state.ts';
import { StateNotice } from './state-notice.tsx';

/** A highlighted sentence with what to do. Never modal, so that typed text is not covered (reference › ui.md D3). */
export function Notice(props: ComponentProps<typeof StateNotice>) {
  return (
    <div className={`flex gap-3 rounded-md border border-line px-4 py-3 ${stateTint[props.state]}`}>
      <StateNotice {...props} />
    </div>
  );
}
