'use client';

import { useEffect, useState } from 'react';

/** Milliseconds, once a second; `first` until the page is alive, so that server and browser write the same. */
export function useNow(first: number): number {
  const [now, setNow] = useState(first);
  useEffect(() => {
    setNow(Date.now());
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, []);
  return now;
}
