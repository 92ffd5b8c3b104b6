'use client';

import { useEffect, useState } from 'react';
import { type Away, awayEvent } from '#components/live/waiting-fetch.ts';
import { stateTint } from '#components/ui/state.ts';
import { StateIcon } from '#components/ui/state-icon.tsx';

/** A page was asked for and the console does not answer: it is opened as soon as it does (components/live/waiting-fetch.ts). */
export function WaitingForConsole() {
  const [waiting, setWaiting] = useState(0);
  useEffect(() => {
    const hear = (event: Event) => setWaiting((event as CustomEvent<Away>).detail.waiting);
    window.addEventListener(awayEvent, hear);
    return () => window.removeEventListener(awayEvent, hear);
  }, []);
  return (
    <div role="status" className="fixed right-3 bottom-3 z-20 max-w-[min(26rem,calc(100vw-1.5rem))]">
      {waiting > 0 && (
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
