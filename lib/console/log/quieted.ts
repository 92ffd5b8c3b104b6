const everyMs = 60_000;

/**
 * A log for events that strangers can cause: at most `most` lines a minute, then the number of lines left out. Without this limit, repeated requests could
 * rotate everything else out of the log.
 */
export function quieted(
  write: (line: string) => void,
  most = 30,
  now: () => number = Date.now,
): (line: string) => void {
  let since = Number.NEGATIVE_INFINITY;
  let count = 0;
  return (line) => {
    if (now() - since >= everyMs) {
      if (count > most) write(`${count - most} more of this kind in the minute before`);
      since = now();
      count = 0;
    }
    count++;
    if (count <= most) write(line);
  };
}
