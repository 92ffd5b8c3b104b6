import type { ReactNode } from 'react';

/** A table in a box that scrolls sideways where it is too narrow. The box takes the focus: else the keyboard could not scroll it in every browser. */
export function TableBox({
  label,
  className = '',
  children,
}: {
  label: string;
  className?: string;
  children: ReactNode;
}) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls is reached by Tab and scrolled by arrows (axe: scrollable-region-focusable)
    <section aria-label={label} tabIndex={0} className={`table-box ${className}`}>
      {children}
    </section>
  );
}
