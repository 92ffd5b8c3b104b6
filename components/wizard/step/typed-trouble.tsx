'use client';

import { createContext, type ReactNode, useContext, useEffect, useState } from 'react';

/** Errors of the form's present values, in a few words; null: none. The server only knows saved values. */
const Trouble = createContext<string | null>(null);
const Tell = createContext<(trouble: string | null) => void>(() => {});

export function TypedTroubleProvider({ children }: { children: ReactNode }) {
  const [trouble, tell] = useState<string | null>(null);
  return (
    <Tell.Provider value={tell}>
      <Trouble.Provider value={trouble}>{children}</Trouble.Provider>
    </Tell.Provider>
  );
}

export function useTypedTrouble(): string | null {
  return useContext(Trouble);
}

export function useTellTrouble(trouble: string | null): void {
  const tell = useContext(Tell);
  useEffect(() => {
    tell(trouble);
    return () => tell(null);
  }, [trouble, tell]);
}
