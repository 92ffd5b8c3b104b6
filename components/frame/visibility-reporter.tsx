'use client';

import { useEffect } from 'react';

/** Well below the two hours after which an unused session ends (lib/console/sign-in/session-cookie.ts). */
const everyMs = 5 * 60_000;

/** Posts to the console that this page is visible (lib/console/sign-in/is-use.ts). A hidden page posts nothing. */
export function VisibilityReporter() {
  useEffect(() => {
    const tell = () => {
      if (document.visibilityState === 'visible') void fetch('/seen', { method: 'POST' }).catch(() => {});
    };
    const timer = setInterval(tell, everyMs);
    document.addEventListener('visibilitychange', tell);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', tell);
    };
  }, []);
  return null;
}
