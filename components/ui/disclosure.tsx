import type { ReactNode } from 'react';
import { Chevron } from './chevron.tsx';

/** Opens in place, without script. */
export function Disclosure({
  summary,
  children,
  open = false,
}: {
  summary: ReactNode;
  children: ReactNode;
  open?: boolean;
}) {
  return (
    <details open={open}>
      <summary className="inline-flex max-w-full min-h-6 list-none items-center gap-1 text-blue select-none [&::-webkit-details-marker]:hidden">
        <Chevron />
        {summary}
      </summary>
      <div className="mt-2">{children}</div>
    </details>
  );
}
