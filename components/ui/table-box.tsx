import type { ReactNode, Ref } from 'react';

/** For a table whose rows are blocks on a telephone, each with a grid of its own: nothing is beside the window. */
export const tableAsBlocks =
  'max-sm:[&_tbody]:block max-sm:[&_td]:border-t-0! max-sm:[&_td]:px-0! max-sm:[&_td]:py-0.5! max-sm:[&_tbody_th]:border-t-0! max-sm:[&_tbody_th]:px-0! max-sm:[&_tbody_th]:py-0.5! max-sm:[&_thead]:sr-only';

/** A table in a box that scrolls sideways where it is too narrow. The box takes the focus: else the keyboard could not scroll it in every browser. */
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
    // A group and no region: landmarks are for the parts of a page.
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for forms
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by Tab and scrolled by arrows (axe: scrollable-region-focusable)
    <div ref={ref} role="group" aria-label={label} tabIndex={0} className={`table-box ${className}`}>
      {children}
    </div>
  );
}
