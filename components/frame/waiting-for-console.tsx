'use client';

import { useEffect, useState } from 'react';
import { awayEvent, type RetriedPages } from '#components/live/away.ts';
import { stateTint } from '#components/ui/state.ts';
import { StateIcon } from '#components/ui/state-icon.tsx';

/** Shown while an opened page waits for a console that does not answer (components/live/waiting-fetch.ts). */
export function WaitingForConsole() {
  const [opening, setOpening] = useState(0);
  useEffect(() => {
    const hear = (event: Event) => setOpening((event as CustomEvent<RetriedPages>).detail.opening);
    window.addEventListener(awayEvent, hear);
    return () => window.removeEventListener(awayEvent, hear);
  }, []);
  return (
    <div role="status" className="fixed right-3 bottom-3 z-20 max-w-[min(26rem,calc(100vw-1.5rem))]">
      {opening > 0 && (
        <p
          className={`flex items-start gap-2 rounded-md border border-line px-3 py-2 text-sm shadow-float ${stateTint.warn}`}
        >
          <span className="mt-0.5">
            <StateIcon state="warn" />
          </span>
          The console does not answer. The page opens when it does; this one stays as it is.
        </p>
      )}
    </div>
  );
}
