'use client';

import { useEffect, useState } from 'react';

/** `Date.now()`, updated every second; `initialMs` until hydration, so that server and browser render the same first. */
export function useNow(initialMs: number): number {
  const [now, setNow] = useState(initialMs);
  useEffect(() => {
    setNow(Date.now());
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, []);
  return now;
}
