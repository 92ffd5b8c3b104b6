'use client';

import { createContext, type ReactNode, useContext, useEffect, useState } from 'react';

/** What is wrong with what stands in the form now, in a few words; null where nothing is. The server tells it only of what was kept. */
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
