import type { ReactNode } from 'react';

/** A disclosure among buttons; opens below them in full width, without script. */
export function DisclosureButton({
  summary,
  of,
  children,
}: {
  summary: ReactNode;
  /** Its subject for screen readers, if several on the page have this name. */
  of?: string;
  children: ReactNode;
}) {
  return (
    <details className="group open:w-full">
      <summary className="inline-flex min-h-8 max-w-full list-none items-center rounded-md border border-edge bg-sheet px-3 py-1.5 font-[560] transition-colors select-none group-open:bg-sunk hover:bg-sunk [&::-webkit-details-marker]:hidden">
        <span>{summary}</span>
        {of !== undefined && <span className="sr-only">: {of}</span>}
      </summary>
      <div className="mt-2">{children}</div>
    </details>
  );
}
