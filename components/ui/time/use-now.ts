'use client';

import { useEffect, useState } from 'react';

/** Milliseconds of `Date.now()`, once a second; `initialMs` until the page is alive, so that server and browser begin with the same. */
export function useNow(initialMs: number): number {
  const [now, setNow] = useState(initialMs);
  useEffect(() => {
    setNow(Date.now());
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, []);
  return now;
}
