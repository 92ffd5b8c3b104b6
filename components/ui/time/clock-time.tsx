'use client';

import { useIsHere } from './use-is-here.ts';

/** `10:42:31` in the user's time zone, with date and zone on hover. The server, which does not know the zone, renders UTC. */
export function ClockTime({ at, to = 'second' }: { at: string; to?: 'second' | 'minute' }) {
  const isHere = useIsHere();
  const date = new Date(at);
  if (Number.isNaN(date.getTime())) return <span>{at}</span>;
  const clock = isHere
    ? [date.getHours(), date.getMinutes(), date.getSeconds()].map((part) => String(part).padStart(2, '0')).join(':')
    : at.slice(11, 19);
  return (
    <time dateTime={at} title={`${at.slice(0, 10)} ${at.slice(11, 19)} UTC`} className="tabular-nums">
      {to === 'second' ? clock : clock.slice(0, 5)}
    </time>
  );
}
