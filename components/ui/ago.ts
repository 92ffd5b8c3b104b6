const units = [
  { name: 'day', seconds: 86_400 },
  { name: 'hour', seconds: 3_600 },
  { name: 'minute', seconds: 60 },
] as const;

/** `12 s ago`, `4 minutes ago`, `in 30 s`; both times in milliseconds. A time that cannot be read is told as such. */
export function ago(thenMs: number, nowMs: number): string {
  if (Number.isNaN(thenMs)) return 'at an unknown time';
  const seconds = Math.round((nowMs - thenMs) / 1000);
  const size = Math.abs(seconds);
  const unit = units.find((one) => size >= one.seconds);
  if (!unit && size < 2) return 'just now';
  const count = unit ? Math.floor(size / unit.seconds) : size;
  const span = unit ? `${count} ${unit.name}${count === 1 ? '' : 's'}` : `${count} s`;
  return seconds < 0 ? `in ${span}` : `${span} ago`;
}

/** `4 m 10 s`, `31 s`, `1 h 2 m`: how long something took; seconds. */
export function span(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds));
  if (whole < 60) return `${whole} s`;
  if (whole < 3_600) return joined(`${Math.floor(whole / 60)} m`, whole % 60, 's');
  return joined(`${Math.floor(whole / 3_600)} h`, Math.floor((whole % 3_600) / 60), 'm');
}

function joined(large: string, rest: number, unit: string): string {
  return rest === 0 ? large : `${large} ${rest} ${unit}`;
}
