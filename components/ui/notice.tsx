import type { ComponentProps } from 'react';
import { stateTint } from './state.ts';
import { Stated } from './stated.tsx';

/** A highlighted sentence with what to do. Never modal, so that typed text is not covered (reference › ui.md D3). */
export function Notice(props: ComponentProps<typeof Stated>) {
  return (
    <div className={`flex gap-3 rounded-md border border-line px-4 py-3 ${stateTint[props.state]}`}>
      <Stated {...props} />
    </div>
  );
}
