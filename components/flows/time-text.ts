const two = (part: number) => String(part).padStart(2, '0');

/** `10:42:31` in the user's time zone, with the day if it is not today: `11-21 10:42:31`. `seconds`: since 1970. Browsers only. */
export function timeText(seconds: number, to: 'second' | 'minute', today: Date): string {
  const at = new Date(seconds * 1000);
  if (Number.isNaN(at.getTime())) return '';
  const clock = [at.getHours(), at.getMinutes(), ...(to === 'second' ? [at.getSeconds()] : [])].map(two).join(':');
  if (at.toDateString() === today.toDateString()) return clock;
  const year = at.getFullYear() === today.getFullYear() ? '' : `${at.getFullYear()}-`;
  return `${year}${two(at.getMonth() + 1)}-${two(at.getDate())} ${clock}`;
}
