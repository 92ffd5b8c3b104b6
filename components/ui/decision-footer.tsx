import type { ReactNode } from 'react';

/** What a decision needs and the one way on, always in sight. Its ground and its line reach the right edge of a screen that is wider than the content. */
export function DecisionFooter({ children }: { children: ReactNode }) {
  return (
    <>
      <div aria-hidden="true" data-above-decision="" className="min-h-5 grow" />
      <div className="sticky bottom-0 z-10 -mx-4 [box-shadow:0_calc(100vmax_+_1px)_0_100vmax_var(--sheet),0_100vmax_0_100vmax_var(--line)] [clip-path:inset(0_-100vmax_0_0)] -mb-5 min-h-(--footer-height) border-t border-line bg-sheet px-4 py-3 min-[900px]:-mx-8 min-[900px]:-mb-6 min-[900px]:px-8">
        {children}
      </div>
    </>
  );
}
