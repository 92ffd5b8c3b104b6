import type { ReactNode, Ref } from 'react';

/** Classes for a table whose rows become blocks with their own grids on a telephone, so that nothing is outside of the window. */
export const tableAsBlocks =
  'max-sm:[&_tbody]:block max-sm:[&_td]:border-t-0! max-sm:[&_td]:px-0! max-sm:[&_td]:py-0.5! max-sm:[&_tbody_th]:border-t-0! max-sm:[&_tbody_th]:px-0! max-sm:[&_tbody_th]:py-0.5! max-sm:[&_thead]:sr-only';

/** A table in a box that scrolls sideways if necessary. The box is focusable, so that the keyboard can scroll it in every browser. */
export function TableBox({
  label,
  className = '',
  ref,
  children,
}: {
  label: string;
  className?: string;
  /** Of the box. */
  ref?: Ref<HTMLDivElement>;
  children: ReactNode;
}) {
  return (
    // A group, not a region: landmarks are for parts of a page.
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for forms
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by Tab and scrolled by arrows (axe: scrollable-region-focusable)
    <div ref={ref} role="group" aria-label={label} tabIndex={0} className={`table-box ${className}`}>
      {children}
    </div>
  );
}
