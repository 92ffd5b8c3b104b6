'use client';

import type { ReactNode } from 'react';
import { useRecheck } from './recheck.tsx';

/** What was read before stays in sight while the cluster is read again, greyed, and cannot be acted on. */
export function Frozen({ children }: { children: ReactNode }) {
  const isFrozen = useRecheck().running !== null;
  return (
    <div aria-busy={isFrozen} className={`transition-opacity ${isFrozen ? 'pointer-events-none opacity-55' : ''}`}>
      {children}
    </div>
  );
}
