import type { ReactNode } from 'react';
import { Panel } from '#components/ui/panel.tsx';
import { type State, StateMark } from '#components/ui/state-mark.tsx';

/** A panel in place of a page's content: the reason with its code, and what to do. */
export function WhyNothing({
  state,
  title,
  code,
  children,
}: {
  state: State;
  title: string;
  code: string;
  children: ReactNode;
}) {
  return (
    <Panel>
      <div className="px-5 py-5">
        <div className="flex flex-wrap items-baseline justify-between gap-x-6">
          <h2 className="text-lg font-semibold">
            <StateMark state={state}>
              <span className="text-ink">{title}</span>
            </StateMark>
          </h2>
          <span className="text-sm text-ink-3">
            code <code>{code}</code>
          </span>
        </div>
        <div className="mt-2 flex max-w-[80ch] flex-col gap-4">{children}</div>
      </div>
    </Panel>
  );
}
