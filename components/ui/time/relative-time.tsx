'use client';

import { useEffect, useState } from 'react';
import { ago } from './ago.ts';
import { useIsHere } from './use-is-here.ts';

/**
 * "4 minutes ago", with the exact time on hover and for machines. The server writes it by its own clock, the reader's takes over: as long as the one as
 * the other, so that no line wraps anew when the page comes alive.
 */
export function RelativeTime({ at }: { at: string }) {
  const [now, setNow] = useState(() => Date.now());
  const isHere = useIsHere();
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 10_000);
    return () => clearInterval(timer);
  }, []);
  return (
    // React leaves what the server wrote where it differs: the reader's own is another element.
    <time key={isHere ? 'here' : 'server'} dateTime={at} title={exact(at)} suppressHydrationWarning>
      {since(at, now)}
    </time>
  );
}

/** What has happened is not to come: where its clock is a little ahead of the reader's it was just now, and far ahead the exact time is all there is. */
function since(at: string, nowMs: number): string {
  const then = Date.parse(at);
  return then - nowMs > mostAheadMs ? exact(at) : ago(Math.min(then, nowMs), nowMs);
}

const mostAheadMs = 5 * 60_000;

function exact(at: string): string {
  return `${at.slice(0, 10)} ${at.slice(11, 19)} UTC`;
}
