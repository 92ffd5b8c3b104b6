'use client';

import type { ReactNode } from 'react';
import { useRecheck } from './recheck.tsx';

/** Greys out and disables its content while the cluster is read again. */
export function Frozen({ children }: { children: ReactNode }) {
  const isFrozen = useRecheck().running !== null;
  return (
    <div aria-busy={isFrozen} className={`transition-opacity ${isFrozen ? 'pointer-events-none opacity-55' : ''}`}>
      {children}
    </div>
  );
}
