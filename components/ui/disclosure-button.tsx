import type { ReactNode } from 'react';

/** Among buttons in a row: opens below them in full width, without script. */
export function DisclosureButton({ summary, children }: { summary: ReactNode; children: ReactNode }) {
  return (
    <details className="group open:w-full">
      <summary className="inline-flex min-h-8 list-none items-center rounded-md border border-edge bg-sheet px-3 py-1.5 font-[560] whitespace-nowrap transition-colors select-none group-open:bg-sunk hover:bg-sunk [&::-webkit-details-marker]:hidden">
        {summary}
      </summary>
      <div className="mt-2">{children}</div>
    </details>
  );
}
