import { counted } from '#lib/base/words.ts';

const units = [
  { name: 'day', seconds: 86_400 },
  { name: 'hour', seconds: 3_600 },
  { name: 'minute', seconds: 60 },
] as const;

/** `12 s ago`, `4 minutes ago`, `in 30 s`; both times in milliseconds. An invalid time is shown as such. */
export function ago(thenMs: number, nowMs: number): string {
  if (Number.isNaN(thenMs)) return 'at an unknown time';
  const seconds = Math.round((nowMs - thenMs) / 1000);
  const size = Math.abs(seconds);
  const unit = units.find((one) => size >= one.seconds);
  if (!unit && size < 2) return 'just now';
  const count = unit ? Math.floor(size / unit.seconds) : size;
  const span = unit ? counted(count, unit.name) : `${count} s`;
  return seconds < 0 ? `in ${span}` : `${span} ago`;
}
