import type { ReactNode } from 'react';

/**
 * What is told for a while, at the lower edge of the window: the end of the page, where it can push nothing away (layout shift < 0.05). Covers
 * what is under it only until the reader scrolls to the end.
 */
export function Dock({ children }: { children: ReactNode }) {
  return (
    <div className="sticky bottom-3 z-10 flex flex-col gap-2 empty:hidden [&>*]:rounded-md [&>*]:shadow-float">
      {children}
    </div>
  );
}
