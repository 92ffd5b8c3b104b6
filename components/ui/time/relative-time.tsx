'use client';

import { useEffect, useState } from 'react';
import { ago } from './ago.ts';
import { useIsHere } from './use-is-here.ts';

/**
 * "4 minutes ago", with the exact time on hover and for machines. The server renders it by its clock, the browser by its own; both texts have about the same length, so
 * that lines do not wrap again.
 */
export function RelativeTime({ at }: { at: string }) {
  const [now, setNow] = useState(() => Date.now());
  const isHere = useIsHere();
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 10_000);
    return () => clearInterval(timer);
  }, []);
  return (
    // React keeps the server's text if it differs, so the browser's is another element.
    <time key={isHere ? 'here' : 'server'} dateTime={at} title={exact(at)} suppressHydrationWarning>
      {since(at, now)}
    </time>
  );
}

/** The words for a past time. If its clock is a little ahead of the browser's: *just now*; if far ahead: the exact time. */
function since(at: string, nowMs: number): string {
  const then = Date.parse(at);
  return then - nowMs > mostAheadMs ? exact(at) : ago(Math.min(then, nowMs), nowMs);
}

const mostAheadMs = 5 * 60_000;

function exact(at: string): string {
  return `${at.slice(0, 10)} ${at.slice(11, 19)} UTC`;
}
