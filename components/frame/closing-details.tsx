'use client';

import { usePathname } from 'next/navigation';
import { type ReactNode, useEffect, useRef } from 'react';

/** A `<details>` with links, which closes when another page opens and on Escape. Opens without script too. */
export function ClosingDetails({ className, children }: { className: string; children: ReactNode }) {
  const path = usePathname();
  const details = useRef<HTMLDetailsElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the path is what it waits for
  useEffect(() => details.current?.removeAttribute('open'), [path]);
  return (
    <details
      ref={details}
      className={className}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || !details.current?.open) return;
        event.stopPropagation();
        details.current.removeAttribute('open');
        details.current.querySelector('summary')?.focus();
      }}
    >
      {children}
    </details>
  );
}
