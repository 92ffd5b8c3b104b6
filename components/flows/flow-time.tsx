'use client';

import { useIsHere } from '#components/ui/time/use-is-here.ts';
import { timeText } from './time-text.ts';

/** A time in the user's time zone, with its day if that is not today. `at`: seconds since 1970. The server renders UTC. */
export function FlowTime({ at }: { at: number }) {
  const isHere = useIsHere();
  const iso = isoTime(at);
  return (
    <time
      dateTime={iso}
      title={`${iso.slice(0, 10)} ${iso.slice(11, 19)} UTC`}
      className="whitespace-nowrap tabular-nums"
    >
      {isHere ? timeText(at, 'second', new Date()) : iso.slice(11, 19)}
    </time>
  );
}

export const isoTime = (seconds: number) => new Date(seconds * 1000).toISOString();
