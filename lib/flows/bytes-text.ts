const units = ['B', 'kB', 'MB', 'GB', 'TB'];

/** Bytes as `60 B`, `5.2 kB`, `716 kB`. */
export function bytesText(bytes: number): string {
  let value = bytes;
  let unit = 0;
  for (; value >= 1000 && unit < units.length - 1; unit++) value /= 1000;
  return `${unit === 0 || value >= 100 ? Math.round(value) : value.toFixed(1)} ${units[unit]}`;
}
